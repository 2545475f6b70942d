resource "terraform_data" "a" {
  output = 1
}
