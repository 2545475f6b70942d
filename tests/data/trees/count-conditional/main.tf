variable "x" {
  default = "x"
}
resource "terraform_data" "r" {
  count = var.x == "x" ? 1 : 0
}
module "c" {
  source = "./m"
  count  = var.x == "x" ? 1 : 0
}
