variable "n" {
  default = 0
}

resource "terraform_data" "a" {
  count = var.n
  input = local.none
}
