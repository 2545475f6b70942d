variable "x" {
  default = "x"
}
module "a" {
  source = "./m"
  x      = var.x
}
