module "a" {
  source = "./m"
  x      = "q"
}
module "b" {
  source = "./m"
  count  = 2
  x      = var.v
}
variable "v" {
  default = "q"
}
