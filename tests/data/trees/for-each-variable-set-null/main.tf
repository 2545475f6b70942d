variable "ss" {
  type    = set(string)
  default = ["a", null]
}
resource "terraform_data" "r" {
  for_each = var.ss
}
module "c" {
  source   = "./m"
  for_each = var.ss
}
