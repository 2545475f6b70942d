variable "s" {
  ephemeral = true
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
resource "terraform_data" "b" {
  input = var.s
}
