resource "terraform_data" "a" {
  count = 2
  input = count.index == 1 ? terraform_data.a[0].id : 1
}
