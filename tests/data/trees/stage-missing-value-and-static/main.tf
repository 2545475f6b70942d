variable "q" {
}
module "a" {
  source = "./m"
  x      = "a"
}
