module "a" {
  source = "./m\\n"
}
