variable "x" {
  default = 2
}
module "a" {
  source = "./modules/a"
  x      = var.x
}
