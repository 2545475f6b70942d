variable "v" {
  type    = number
  default = 1
}
module "leaf" {
  source = "./leaf"
  v      = var.v
}
module "middle" {
  source = "./middle"
  v      = var.v
}
