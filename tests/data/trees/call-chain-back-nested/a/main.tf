variable "v" {
}
module "b" {
  source = "../b"
  v      = var.v + 1
}
output "o" {
  value = module.b.o
}
