variable "s" {
  default = "./m"
}
module "a" {
  source = var.s
}
