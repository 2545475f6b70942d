moved {
  from = module.a
  to = module.c
}
moved {
  from = module.c
  to = module.a
}
