variable "x" {
  default = "x"
}
resource "terraform_data" "r" {
  count = var.x
}
module "c" {
  source = "./m"
  count  = var.x
}
