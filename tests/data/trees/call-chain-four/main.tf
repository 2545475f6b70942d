variable "v" {
  default = 1
}
module "a" {
  source = "./a"
  v      = var.v + 1
}
