variable "n" {
  default = null
}
resource "terraform_data" "r" {
  for_each = var.n
}
module "c" {
  source   = "./m"
  for_each = var.n
}
