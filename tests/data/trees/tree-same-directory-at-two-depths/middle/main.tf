variable "v" {
}
module "leaf" {
  source = "../leaf"
  v      = var.v + 1
}
