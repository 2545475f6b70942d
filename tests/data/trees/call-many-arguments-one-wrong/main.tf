variable "c" {
  default = ["x"]
}
module "a" {
  source = "./m"
  a      = 1
  b      = ["x", "y"]
  c      = var.c
  d      = { k = "v" }
}
