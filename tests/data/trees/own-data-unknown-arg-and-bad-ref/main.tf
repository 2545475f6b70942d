resource "terraform_data" "a" {
  nope = var.x
  input = var.y
}
