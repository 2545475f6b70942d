module "a" {
  source = "./"
}
