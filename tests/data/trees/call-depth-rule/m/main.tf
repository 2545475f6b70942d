variable "x" {
}
module "b" {
  source = "./n"
  y      = var.x
}
