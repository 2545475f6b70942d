variable "all" {
}
resource "terraform_data" "a" {
  for_each = toset(var.all)
}
