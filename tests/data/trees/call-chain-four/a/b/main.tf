variable "v" {
}
module "c" {
  source = "./c"
  v      = var.v + 1
}
