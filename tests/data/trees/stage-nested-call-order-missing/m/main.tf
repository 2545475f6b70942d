module "b" {
  source = "./n"
}
