resource "terraform_data" "a" {
  count = 0
  id = "x"
}
