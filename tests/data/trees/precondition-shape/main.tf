variable "q" {
  default = 1
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition = var.q == 1
    }
    precondition {
      error_message = "x"
    }
    precondition {
      condition     = var.q == 1
      error_message = "x"
      other         = 1
    }
  }
}
