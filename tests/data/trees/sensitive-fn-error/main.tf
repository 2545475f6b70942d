variable "s" {
  sensitive = true
  default   = "pw"
}
module "m" {
  source = "./m"
  x      = var.s
}
