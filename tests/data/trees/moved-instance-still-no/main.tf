moved {
  from = terraform_data.a[2]
  to   = terraform_data.a[1]
}
moved {
  from = terraform_data.b
  to   = terraform_data.b[0]
}
resource "terraform_data" "a" {
  count = 2
}
resource "terraform_data" "b" {
  count = 1
}
