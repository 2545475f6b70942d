variable "q" {
  default = "q"
}
resource "terraform_data" "a" {
  input = "x"
  lifecycle {
    precondition {
      condition     = var.q == "z"
      error_message = "pre"
    }
  }
}
resource "terraform_data" "b" {
  input = tonumber(terraform_data.a.input)
}
resource "terraform_data" "c" {
  depends_on = [terraform_data.a]
  input      = tonumber(var.q)
}
resource "terraform_data" "d" {
  count = tonumber(terraform_data.a.input)
}
resource "terraform_data" "e" {
  input = tonumber(var.q)
}
