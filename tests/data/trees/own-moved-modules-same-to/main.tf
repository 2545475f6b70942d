module "c" {
 source = "./m"
}
moved {
  from = module.a
  to = module.c
}
moved {
  from = module.b
  to = module.c
}
