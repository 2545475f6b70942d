variable "s" {
  sensitive = true
  default   = 1
}
resource "terraform_data" "r" {
  count = var.s
}
module "c" {
  source = "./m"
  count  = var.s
}
