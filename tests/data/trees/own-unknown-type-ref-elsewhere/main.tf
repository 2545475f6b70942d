resource "terraform_nope" "a" {
}
output "o" {
  value = terraform_nope.a.x
}
