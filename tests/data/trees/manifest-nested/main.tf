variable "x" {
  default = 2
}
module "a" {
  source = "example/vpc/aws"
  x      = var.x
}
