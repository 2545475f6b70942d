module "a" {
  source = "./m"
  x      = var.nope
  y      = local.nope
  z      = terraform_data.nope.id
}
