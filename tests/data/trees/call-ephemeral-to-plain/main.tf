variable "v" {
  ephemeral = true
  default   = "pw"
}
module "a" {
  source = "./m"
  x      = var.v
}
