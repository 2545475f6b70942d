variable "s" {
  default = "s"
  sensitive = true
}
variable "n" {
  default = 1
  sensitive = true
}
variable "e" {
  default = "s"
  ephemeral = true
}
locals { m = { s = ["a"] } }
resource "terraform_data" "d" { for_each = toset(local.m[var.s]) }
