moved {
  from = terraform_data.a[0]
  to   = terraform_data.a[0]
}
