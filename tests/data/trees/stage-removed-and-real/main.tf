variable "q" {
  default = "q"
}
removed {
  from = terraform_data.a
}
resource "terraform_data" "a" {
}
output "o" {
  value = tonumber(var.q)
}
