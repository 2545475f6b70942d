variable "t" {
  default = true
}
resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  for_each = { x = 1 }
}
resource "terraform_data" "c" {
}
module "a" {
  source = "./m"
  count  = 1
}
module "b" {
  source   = "./m"
  for_each = { x = 1 }
}
output "o" {
  value = var.t ? tonumber([terraform_data.a, "x"][0]) : 1
}
output "p" {
  value = tonumber({ x = terraform_data.b }["x"])
}
output "ma" {
  value = var.t ? tonumber(try(module.a, 1)) : 1
}
output "mb" {
  value = var.t ? tonumber(try(module.b, 1)) : 1
}
