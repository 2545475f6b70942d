variable "l" {
  type    = list(string)
  default = ["a"]
}
resource "terraform_data" "r" {
  for_each = var.l
}
module "c" {
  source   = "./m"
  for_each = var.l
}
