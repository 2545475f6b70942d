moved {
  from = module.a.terraform_data.x
  to = terraform_data.y
}
moved {
  from = module.a
  to = module.b
}
