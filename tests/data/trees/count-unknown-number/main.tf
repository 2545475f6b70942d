resource "terraform_data" "z" {
}
resource "terraform_data" "r" {
  count = length(terraform_data.z.id)
}
module "c" {
  source = "./m"
  count  = length(terraform_data.z.id)
}
