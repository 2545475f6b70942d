resource "terraform_data" "a" {
  count = 9223372036854775808
}
