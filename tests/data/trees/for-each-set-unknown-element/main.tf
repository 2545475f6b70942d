resource "terraform_data" "z" {
}
resource "terraform_data" "r" {
  for_each = toset([terraform_data.z.id, "b"])
}
module "c" {
  source   = "./m"
  for_each = toset([terraform_data.z.id, "b"])
}
