variable "em" {
  ephemeral = true
  default   = { a = 1 }
}
resource "terraform_data" "r" {
  for_each = var.em
}
module "c" {
  source   = "./m"
  for_each = var.em
}
