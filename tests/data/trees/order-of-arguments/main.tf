variable "x" {
  type = number
}
module "m" {
  source = "./m"
  x      = var.x
}
