resource "terraform_data" "t" {
}
module "a" {
  source = "./m"
  v      = { id = terraform_data.t.id, n = var.n }
}
variable "n" {
  type    = number
  default = 1
}
