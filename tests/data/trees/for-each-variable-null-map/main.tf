variable "mpn" {
  type    = map(string)
  default = null
}
resource "terraform_data" "r" {
  for_each = var.mpn
}
module "c" {
  source   = "./m"
  for_each = var.mpn
}
