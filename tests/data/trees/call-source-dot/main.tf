module "a" {
  source = "."
}
