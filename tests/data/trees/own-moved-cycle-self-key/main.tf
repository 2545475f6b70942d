resource "terraform_data" "a" {
 count = 2
}
moved {
  from = terraform_data.a[0]
  to = terraform_data.a[1]
}
moved {
  from = terraform_data.a[1]
  to = terraform_data.a[0]
}
