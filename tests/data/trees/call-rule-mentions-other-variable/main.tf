variable "max" {
  type    = number
  default = 5
}
module "a" {
  source = "./m"
  min    = 3
  max    = var.max
}
