variable "k" {
  default = null
}
module "a" {
  source = "./m"
  count  = 1
}
output "r" {
  value = module.a[var.k].o
}
