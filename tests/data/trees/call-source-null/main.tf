module "a" {
  source = null
}
