resource "terraform_data" "c" {
}

moved {
  from = terraform_data.a[0]
  to   = terraform_data.b[0]
}

moved {
  from = terraform_data.b[1]
  to   = terraform_data.a[1]
}
