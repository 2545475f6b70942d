variable "names" {
  type    = list(string)
  default = ["a", "b"]
}
module "list" {
  source = "./list"
  names  = var.names
}
module "item" {
  source = "./item"
  count  = module.list.size
  name   = module.list.names[count.index]
}
module "keyed" {
  source   = "./item"
  for_each = module.list.keyed
  name     = each.value
}
