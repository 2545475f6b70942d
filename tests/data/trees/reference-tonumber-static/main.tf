resource "terraform_data" "a" {
  input = tonumber("q")
}
resource "terraform_data" "b" {
  input = tonumber(terraform_data.a.output)
}
