module "a" {
  source = "./m"
}
variable "q" {
  nope = 1
}
