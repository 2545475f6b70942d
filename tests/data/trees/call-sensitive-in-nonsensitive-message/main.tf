variable "v" {
  default   = "ok"
  sensitive = true
}
module "b" {
  source = "./b"
  v      = var.v
}
