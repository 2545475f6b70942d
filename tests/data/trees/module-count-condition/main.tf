variable "create" {
  type    = bool
  default = true
}
module "m" {
  source = "./m"
  count  = var.create ? 1 : 0
}
output "unsafe" {
  value = module.m[0].o
}
output "safe" {
  value = try(module.m[0].o, null)
}
output "splat" {
  value = one(module.m[*].o)
}
