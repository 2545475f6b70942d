variable "v" {
  type    = string
  default = null
}
module "a" {
  source = "./m"
  v      = var.v
}
