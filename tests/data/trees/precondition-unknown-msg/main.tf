variable "x" {
  default = 1
}
resource "terraform_data" "b" {
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.x == 2
      error_message = "u ${terraform_data.b.id}"
    }
  }
}
