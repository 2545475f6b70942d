moved {
  from = terraform_data.a[0]
  to   = terraform_data.a["x"]
}
resource "terraform_data" "a" {
  for_each = { x = 1 }
}
