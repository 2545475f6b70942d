variable "q" {
  default = 1
}
locals {
  sum = var.q + module.m.one
}
module "m" {
  source = "./m"
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = local.sum == 2
      error_message = "Sum is ${local.sum}."
    }
  }
}
