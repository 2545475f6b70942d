variable "v" {
  default = null
}
module "a" {
  source = "./m"
  x      = var.v
}
