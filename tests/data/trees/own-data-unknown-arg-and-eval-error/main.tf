resource "terraform_data" "a" {
  nope = 1
  input = tonumber("q")
}
