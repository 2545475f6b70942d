variable "v" {
  type    = number
  default = null
}
module "one" {
  source = "./one"
  v      = var.v
}
