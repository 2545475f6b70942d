resource "terraform_data" "z" {
}
module "m" {
  source = "./m"
  count  = terraform_data.z.id == "x" ? 1 : 0
}
output "o" {
  value = module.m[0].nope
}
