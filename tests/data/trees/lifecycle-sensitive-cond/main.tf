variable "s" {
  sensitive = true
  default   = 1
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.s == 2
      error_message = "no"
    }
  }
}
