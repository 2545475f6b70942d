variable "size" {
  type = number
}
module "a" {
  source = "./m"
  size   = var.size
}
