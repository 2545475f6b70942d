resource "terraform_data" "b" {
  id = "x"
}
