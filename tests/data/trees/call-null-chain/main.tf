variable "v" {
  default = null
}
module "a" {
  source = "./m"
  v      = var.v
}
