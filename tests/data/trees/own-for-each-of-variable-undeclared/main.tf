variable "n" {
  default = {}
}

resource "terraform_data" "a" {
  for_each = var.n
  input    = local.none
}
