variable "x" { type = number }
resource "terraform_data" "r" { count = var.x }
