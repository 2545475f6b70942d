resource "terraform_data" "a" {
  input = [var.nope, local.nope]
}
resource "terraform_data" "b" {
  input = [var.nope, terraform_data.nope.id]
}
output "o" {
  value = [var.nope, terraform_data.nope.id]
}
output "p" {
  value = [var.nope, tonumber("q"), local.nope]
}
output "q" {
  value = [count.index, each.key, each.value, self, self.id]
}
locals {
  x = [count.index, each.key, terraform_data.nope, var.nope]
}
