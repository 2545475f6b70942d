module "a" {
  source = ""
}
