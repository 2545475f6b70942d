variable "v" {
  type    = string
  default = "a"
}
module "one" {
  source = "./one"
  v      = var.v
}
