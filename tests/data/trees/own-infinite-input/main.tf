variable "divisor" {
  type    = number
  default = 0
}
resource "terraform_data" "a" {
  input = { share = [1 / var.divisor] }
}
