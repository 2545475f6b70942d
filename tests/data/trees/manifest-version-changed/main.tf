module "a" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 6.0"
}
