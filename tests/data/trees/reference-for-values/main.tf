variable "m" {
  type    = map(string)
  default = { a = "1" }
}
resource "terraform_data" "a" {
  for_each = var.m
  input    = each.value
}
output "o" {
  value = [for k, r in terraform_data.a : tonumber(r.input)]
}
