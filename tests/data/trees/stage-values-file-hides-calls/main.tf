variable "q" {
  default = 1
}
module "a" {
  source = "./m"
  x      = 1
}
