module "a" {
  x = 2
}
