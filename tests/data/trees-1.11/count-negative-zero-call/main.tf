variable "x" {
  type = number
  default = "-0"
}
module "m" {
  source = "./m"
  count = 0 * -1
}
