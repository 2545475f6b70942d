moved {
  from = null_resource.a
  to   = terraform_data.a
}
resource "terraform_data" "a" {
}
