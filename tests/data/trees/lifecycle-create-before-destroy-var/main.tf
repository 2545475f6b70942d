variable "x" {
  default = true
}
resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = var.x
  }
}
resource "terraform_data" "b" {
  lifecycle {
    prevent_destroy = "x"
    nope            = 1
  }
}
