variable "x" {
}
module "b" {
  source = "./b"
  x      = var.x
}
