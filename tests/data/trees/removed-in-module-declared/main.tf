removed {
  from = module.m.terraform_data.a
  lifecycle {
    destroy = false
  }
}
module "m" {
  source = "./m"
}
