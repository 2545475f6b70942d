variable "name" {
  default = "long"
}
module "this" {
  source = "../.."
  name   = var.name
}
output "name" {
  value = module.this.name
}
