variable "zones" {
  type    = list(string)
  default = ["a", "b"]
}
variable "subnets" {
  type    = number
  default = 2
}
module "network" {
  source = "./network"
  zones  = var.zones
}
module "subnet" {
  source = "./subnet"
  count  = var.subnets
  index  = count.index
  zones  = module.network.zones
}
module "cluster" {
  source  = "./cluster"
  subnets = module.subnet[*].zone
  zones   = module.network.zones
}
