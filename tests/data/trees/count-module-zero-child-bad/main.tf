variable "q" {
  default = "q"
}
module "m" {
  source = "./m"
  count  = 0
  x      = var.q
}
