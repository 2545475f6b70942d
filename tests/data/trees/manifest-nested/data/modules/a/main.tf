variable "x" {
}
module "sub" {
  source = "./modules/sub"
  x      = var.x
}
