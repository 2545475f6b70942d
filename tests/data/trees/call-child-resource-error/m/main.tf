variable "v" {
}
resource "terraform_data" "t" {
  input = tonumber(var.v)
}
