variable "k" {
  default = "a"
}
module "m" {
  source = "./m"
}
output "o" {
  value = { for k, v in module.m : k => v if k == var.k }[var.k]
}
