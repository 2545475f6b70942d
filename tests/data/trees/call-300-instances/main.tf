variable "limit" {
  type    = number
  default = 300
}
module "a" {
  source = "./m"
  count  = 300
  i      = count.index
  limit  = var.limit
}
