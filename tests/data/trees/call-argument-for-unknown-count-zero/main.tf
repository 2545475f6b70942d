variable "n" {
  default = 0
}
resource "terraform_data" "t" {
}
module "m" {
  source = "./m"
  count  = var.n
  x      = [terraform_data.t.id]
}
