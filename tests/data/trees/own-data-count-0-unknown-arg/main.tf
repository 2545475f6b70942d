resource "terraform_data" "a" {
  count = 0
  nope = 1
}
