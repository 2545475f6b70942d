variable "v" {
  default   = "1"
  sensitive = true
}
module "a" {
  source = "./a"
  v      = var.v
}
