variable "x" {
  default = 2
}
module "a" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
  x       = var.x
}
