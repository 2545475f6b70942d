variable "e" {
  ephemeral = true
  default   = "x"
}
module "a" {
  source = "./m"
  x      = var.e
}
