variable "v" {
  type    = list(string)
  default = []
}
module "a" {
  source = "./m"
  x      = var.v
}
