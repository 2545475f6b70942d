variable "v" {
  ephemeral = true
  default   = "pw"
}
module "a" {
  source = "./m"
  count  = 0
  x      = { a = var.v }
}
