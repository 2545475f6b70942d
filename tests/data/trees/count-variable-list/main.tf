variable "l" {
  type    = list(string)
  default = ["a"]
}
resource "terraform_data" "r" {
  count = var.l
}
module "c" {
  source = "./m"
  count  = var.l
}
