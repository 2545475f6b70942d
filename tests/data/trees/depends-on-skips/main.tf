variable "v" {
  default = "q"
}
resource "terraform_data" "b" {
  input = tonumber(var.v)
}
resource "terraform_data" "a" {
  input      = try(tonumber(var.v), tonumber("x${var.v}"))
  depends_on = [terraform_data.b]
}
