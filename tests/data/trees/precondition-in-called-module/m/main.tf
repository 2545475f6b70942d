variable "name" {
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = length(var.name) == 2
      error_message = "Name is ${var.name}."
    }
  }
}
