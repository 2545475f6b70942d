moved {
  from = module.m[0].terraform_data.a
  to   = module.m[0].terraform_data.b
}

moved {
  from = module.m[0].terraform_data.b
  to   = module.m[0].terraform_data.a
}
