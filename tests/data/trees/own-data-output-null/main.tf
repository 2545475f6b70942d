resource "terraform_data" "a" {
  output = null
}
