module "a" {
  source = "./link"
  x      = 1
}
