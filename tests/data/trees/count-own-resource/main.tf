resource "terraform_data" "r" {
  count = terraform_data.r[0].id
}
