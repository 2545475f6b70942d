resource "terraform_data" "a" {
  id = "x"
}
