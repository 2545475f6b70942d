variable "v" {
  default = "abc"
}
module "a" {
  source = "./m"
  x      = var.v
}
