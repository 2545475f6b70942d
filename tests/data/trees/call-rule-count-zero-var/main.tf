variable "v" {
  default = "c"
}
module "a" {
  source = "./m"
  count  = 0
  x      = var.v
}
