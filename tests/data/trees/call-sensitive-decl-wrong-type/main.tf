variable "v" {
  default = "pw"
}
module "a" {
  source = "./m"
  x      = var.v
}
