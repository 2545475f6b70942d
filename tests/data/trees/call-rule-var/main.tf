module "a" {
  source = "./m"
  x      = var.q
}
variable "q" {
  default = 5
}
