module "a" {
  source = "./nope"
  x      = 1
}
