variable "q" {
  default = "q"
}
resource "terraform_data" "z" {
}
module "m" {
  source = "./m"
  count  = terraform_data.z.id == "x" ? 1 : 0
  x      = tonumber(var.q)
}
output "o" {
  value = module.m[3].x.y
}
output "p" {
  value = tonumber(var.q)
}
