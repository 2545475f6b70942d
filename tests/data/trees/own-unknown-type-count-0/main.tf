resource "terraform_nope" "a" {
  count = 0
}
