variable "s" {
  sensitive = true
  default   = "pw"
}
module "m" {
  source = "./m"
  x      = { a = var.s, b = "ok" }
}
output "o" {
  value = module.m.a
}
output "p" {
  value = module.m.b
}
