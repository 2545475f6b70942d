variable "v" {
  default = "q"
}
module "a" {
  source = "./m"
  x      = tonumber(var.v)
}
