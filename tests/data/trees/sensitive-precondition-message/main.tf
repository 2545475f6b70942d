variable "v" {
  default   = "1"
  sensitive = true
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.v == "1"
      error_message = "Got ${var.v}."
    }
  }
}
