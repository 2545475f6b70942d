resource "terraform_data" "c" {}
moved {
  from = null_resource.a
  to = terraform_data.c
}
moved {
  from = null_resource.b
  to = terraform_data.c
}
