variable "mp" {
  type    = map(string)
  default = { a = null }
}
resource "terraform_data" "r" {
  for_each = var.mp
}
module "c" {
  source   = "./m"
  for_each = var.mp
}
