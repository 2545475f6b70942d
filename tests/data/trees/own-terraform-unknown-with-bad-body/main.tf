resource "terraform_nope" "a" {
  x = var.nope
}
