resource "terraform_data" "t" {
}
module "a" {
  source = "./m"
  x      = terraform_data.t.id
}
