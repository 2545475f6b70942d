module "m" {
 source = "./m"
}
moved {
  from = module.m.terraform_data.a
  to = module.m.terraform_data.c
}
