resource "terraform_data" "c" {
  for_each = {}
  input    = each.key + 1
}
resource "terraform_data" "e" {
  for_each = {}
  input    = each.key[0]
}
resource "terraform_data" "e2" {
  for_each = {}
  input    = each.key == 1 ? tonumber("q") : 1
}
resource "terraform_data" "f" {
  count = 0
  input = count.index[0]
}
resource "terraform_data" "f2" {
  for_each = toset(var.x)
  input    = each.value[0]
}
resource "terraform_data" "g" {
  for_each = { a = 1 }
  input    = each.value.nope
}
variable "x" {
  type    = list(string)
  default = []
}
