variable "x" {
  type = number
  default = "-0"
}
resource "terraform_data" "r" { count = "-0" }
