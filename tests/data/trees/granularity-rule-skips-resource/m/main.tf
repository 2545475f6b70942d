variable "x" {
  validation {
    condition     = length(var.x) > 1
    error_message = "Got ${var.x}."
  }
}
variable "y" {
  default = "y"
}
resource "terraform_data" "reads" {
  input = tonumber(var.x)
}
resource "terraform_data" "alone" {
  input = tonumber(var.y)
}
resource "terraform_data" "after" {
  depends_on = [terraform_data.reads]
  input      = tonumber(var.y)
}
