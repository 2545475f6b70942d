variable "q" {
  default = "1"
}
module "m" {
  source = "./m"
  q      = var.q
}
