module "m" {
  source = "./m"
  x      = "pw"
}
output "o" {
  value = module.m.a
}
