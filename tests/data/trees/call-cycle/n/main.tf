module "a" {
  source = "../m"
}
