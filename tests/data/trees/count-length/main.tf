variable "l" {
  type    = list(string)
  default = ["a"]
}
resource "terraform_data" "r" {
  count = length(var.l)
}
module "c" {
  source = "./m"
  count  = length(var.l)
}
