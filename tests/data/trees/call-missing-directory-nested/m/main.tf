module "b" {
  source = "./nope"
}
