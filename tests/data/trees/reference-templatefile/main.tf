variable "x" {
  default = "1"
}
module "m" {
  source = "./m"
  x      = var.x
}
