variable "v" {
}
module "two" {
  source = "../two"
  v      = var.v
}
