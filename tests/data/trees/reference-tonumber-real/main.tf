variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = tonumber(var.q)
}
resource "terraform_data" "b" {
  input = tonumber("${terraform_data.a.id == "" ? "" : var.q}")
}
