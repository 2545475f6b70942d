resource "terraform_data" "r" {
  count = var.nope
}
module "c" {
  source = "./m"
  count  = var.nope
}
