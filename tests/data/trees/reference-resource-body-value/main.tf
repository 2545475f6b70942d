variable "x" {
  default = "1"
}
resource "terraform_data" "a" {
  input = tonumber(var.x)
}
