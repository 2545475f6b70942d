variable "l" {
  type    = list(string)
  default = ["a"]
}
resource "terraform_data" "r" {
  for_each = { for x in var.l : x => upper(x) }
}
module "c" {
  source   = "./m"
  for_each = { for x in var.l : x => upper(x) }
}
