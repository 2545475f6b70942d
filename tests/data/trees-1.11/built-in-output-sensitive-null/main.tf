variable "s" {
  default = "x"
  sensitive = true
}
variable "n" {
  default = 2
  sensitive = true
}
variable "l" {
  default = ["a"]
  sensitive = true
}
variable "e" {
  default = "x"
  ephemeral = true
}
variable "el" {
  default = ["a"]
  ephemeral = true
}
variable "p" { default = "x" }
resource "terraform_data" "a" {
  input = sensitive(null)
}
output "o" { value = terraform_data.a.output == null }
