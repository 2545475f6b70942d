resource "terraform_data" "a" {
  input = file("nope.txt")
}
