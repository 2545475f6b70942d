variable "v" {
  default = ["a"]
}
module "m" {
  source = "./m"
  v      = var.v
}
