resource "terraform_data" "z" {
}
resource "terraform_data" "r" {
  for_each = terraform_data.z.output
}
module "c" {
  source   = "./m"
  for_each = terraform_data.z.output
}
