variable "e" {
  ephemeral = true
  default   = 1
}
resource "terraform_data" "r" {
  count = var.e
}
module "c" {
  source = "./m"
  count  = var.e
}
