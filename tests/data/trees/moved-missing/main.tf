moved {
  from = terraform_data.a
}
