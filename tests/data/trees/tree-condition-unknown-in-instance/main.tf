resource "terraform_data" "t" {
}
variable "b" {
  default = "bad"
}
module "m" {
  source   = "./m"
  for_each = { a = terraform_data.t.id, b = var.b }
  v        = each.value
}
