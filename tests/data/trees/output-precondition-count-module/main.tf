variable "n" {
  default = 1
}
module "m" {
  source = "./m"
  count  = var.n
  i      = count.index
}
