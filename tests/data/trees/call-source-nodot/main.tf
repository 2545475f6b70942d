module "a" {
  source = "m"
}
