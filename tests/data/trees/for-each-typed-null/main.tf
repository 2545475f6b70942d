variable "tn" {
  type    = number
  default = null
}
resource "terraform_data" "r" {
  for_each = var.tn
}
module "c" {
  source   = "./m"
  for_each = var.tn
}
