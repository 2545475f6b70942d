variable "bad" {
  default = "bad"
}
module "list" {
  source = "./list"
}
module "item" {
  source = "./item"
  count  = module.list.size
  name   = var.bad
}
