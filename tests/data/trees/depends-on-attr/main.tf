module "m" {
  source = "./m"
}
resource "terraform_data" "a" {
  depends_on = [module.m.x]
}
