locals {
  all = toset([sensitive("a"), "b"])
}

resource "terraform_data" "a" {
  for_each = local.all
}
