resource "terraform_data" "a" {
  for_each = { a = sensitive("a"), b = "b" }
}
