resource "terraform_data" "a" {
  input = try(var.nope, 1)
}
resource "terraform_data" "b" {
  input = false ? local.nope : 1
}
resource "terraform_data" "c" {
  input = can(terraform_data.nope)
}
