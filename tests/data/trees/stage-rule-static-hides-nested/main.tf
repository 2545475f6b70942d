variable "q" {
  default = "q"
}
module "a" {
  source = "./m"
  x      = 1
  y      = var.q
}
