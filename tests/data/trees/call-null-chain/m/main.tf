variable "v" {
}
module "b" {
  source = "./n"
  v      = var.v
}
