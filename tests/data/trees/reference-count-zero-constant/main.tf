resource "terraform_data" "c" {
  count = 0
  input = tonumber(var.q)
}
resource "terraform_data" "d" {
  count = 0
  input = tonumber(count.index == "" ? "1" : "q")
}
variable "q" {
  default = "q"
}
