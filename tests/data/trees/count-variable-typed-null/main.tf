variable "tn" {
  type    = number
  default = null
}
resource "terraform_data" "r" {
  count = var.tn
}
module "c" {
  source = "./m"
  count  = var.tn
}
