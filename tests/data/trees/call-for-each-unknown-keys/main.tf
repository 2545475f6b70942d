resource "terraform_data" "t" {
}
variable "bad" {
  default = "bad"
}
module "a" {
  source   = "./m"
  for_each = toset([terraform_data.t.id])
  v        = var.bad
}
