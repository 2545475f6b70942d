variable "pw" {
  type      = string
  sensitive = true
  default   = "long enough"
}
module "m" {
  source = "./m"
  pw     = var.pw
}
