resource "terraform_data" "z" {
}
resource "terraform_data" "r" {
  count = terraform_data.z.id
}
module "c" {
  source = "./m"
  count  = terraform_data.z.id
}
