module "a" {
  source = "./a"
}
module "b" {
  source = "./b"
  v      = module.a.id
}
