variable "v" {
  sensitive = true
  default   = "pw"
}
module "a" {
  source = "./m"
  x      = var.v
}
