variable "v" {
  type     = number
  default  = 7
  nullable = false
}
module "two" {
  source = "../two"
  v      = var.v == 7 ? null : var.v
}
