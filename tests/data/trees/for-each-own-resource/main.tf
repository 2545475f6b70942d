resource "terraform_data" "r" {
  for_each = terraform_data.r[0].id
}
