variable "l" {
  type    = list(string)
  default = ["a"]
}
resource "terraform_data" "r" {
  for_each = { for x in concat(var.l, var.l) : x => x }
}
module "c" {
  source   = "./m"
  for_each = { for x in concat(var.l, var.l) : x => x }
}
