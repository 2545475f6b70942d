variable "m" {
  default = { a = { x = 1 } }
}
resource "terraform_data" "a" {
  for_each = var.m
  input    = each.value.x
}
