resource "terraform_nope" "a" {
  count = var.nope
}
