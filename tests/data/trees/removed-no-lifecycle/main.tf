removed {
  from = terraform_data.a
}
