variable "q" {
  default = 1
}
resource "terraform_data" "t" {
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.q == 1 && terraform_data.t.id == "x"
      error_message = "No."
    }
  }
}
