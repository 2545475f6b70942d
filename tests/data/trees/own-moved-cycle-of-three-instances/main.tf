moved {
  from = terraform_data.a["x"]
  to   = terraform_data.b["x"]
}

moved {
  from = terraform_data.b["x"]
  to   = terraform_data.c[1]
}

moved {
  from = terraform_data.c[1]
  to   = terraform_data.a["x"]
}
