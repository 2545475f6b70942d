variable "n" {
  default = null
}
resource "terraform_data" "r" {
  count = var.n
}
module "c" {
  source = "./m"
  count  = var.n
}
