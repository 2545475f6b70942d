resource "terraform_data" "a" {
  count = 1
}
resource "terraform_data" "b" {
  for_each = { x = 1 }
}
resource "terraform_data" "c" {
}
output "o" {
  value = tonumber(terraform_data.a)
}
output "p" {
  value = tonumber(terraform_data.b)
}
output "q" {
  value = tonumber(terraform_data.c)
}
