moved {
  from = module.a["x"]
  to   = module.b["x"]
}

moved {
  from = module.b["x"]
  to   = module.a["x"]
}
