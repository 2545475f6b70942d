variable "a" {
  default = [1, 2]
}
resource "terraform_data" "r" {
  for_each = toset(var.a)
}
module "c" {
  source   = "./m"
  for_each = toset(var.a)
}
