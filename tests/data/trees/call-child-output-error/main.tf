variable "v" {
  default = "1"
}
module "m" {
  source = "./m"
  v      = var.v
}
