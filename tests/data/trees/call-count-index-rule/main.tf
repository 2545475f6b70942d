variable "n" {
  type    = number
  default = 2
}
module "a" {
  source = "./m"
  count  = var.n
  x      = count.index
}
output "o" {
  value = module.a[*].o
}
