variable "q" {
  type    = number
  default = 1
}
variable "x" {
  type    = number
  default = 1
}
module "a" {
  source = "./m"
  x      = var.x
}
