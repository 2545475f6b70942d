variable "size" {
  type    = number
  default = null
}
module "a" {
  source = "./m"
  o      = { size = var.size }
}
