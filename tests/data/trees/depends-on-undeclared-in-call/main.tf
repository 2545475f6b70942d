module "m" {
  source     = "./m"
  depends_on = [module.nope, var.nope, local.nope, terraform_data.x]
}
