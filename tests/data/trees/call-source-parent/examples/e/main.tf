module "a" {
  source = "../.."
  x      = 1
}
