module "a" {
  source = "./mü x"
  x      = 1
}
