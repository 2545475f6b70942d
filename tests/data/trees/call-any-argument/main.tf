variable "v" {
  type    = any
  default = ["a", 1]
}
module "a" {
  source = "./m"
  v      = var.v
}
