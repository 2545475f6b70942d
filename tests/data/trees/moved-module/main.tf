module "m" {
  source = "./m"
}
moved {
  from = module.old
  to   = module.m
}
moved {
  from = module.m
  to   = module.z
}
