variable "e" {
  ephemeral = true
  default   = 1
}
resource "terraform_data" "r" {
  for_each = { a = var.e }
}
module "c" {
  source   = "./m"
  for_each = { a = var.e }
}
