variable "name" {
  type = string
}
variable "flag" {
  type     = bool
  nullable = false
}
resource "terraform_data" "this" {
  input = var.name
  lifecycle {
    precondition {
      condition     = var.flag || endswith(var.name, "-0")
      error_message = "${var.name} needs the flag."
    }
    postcondition {
      condition     = length(self.input) < 6
      error_message = "${self.input} is too long."
    }
  }
}
