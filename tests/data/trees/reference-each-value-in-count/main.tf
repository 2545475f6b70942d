resource "terraform_data" "a" {
  count = 1
  input = each.value
}
resource "terraform_data" "b" {
  for_each = {}
  input    = count.index
}
resource "terraform_data" "c" {
  for_each = { a = 1 }
  input    = [each.nope, each]
}
