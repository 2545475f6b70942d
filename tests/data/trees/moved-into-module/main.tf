module "m" {
  source = "./m"
}
moved {
  from = terraform_data.a
  to   = module.m.terraform_data.a
}
moved {
  from = terraform_data.b
  to   = module.nope.terraform_data.a
}
