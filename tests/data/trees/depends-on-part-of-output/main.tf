resource "terraform_data" "x" {
  depends_on = [module.m.a.b]
}
resource "terraform_data" "y" {
  depends_on = [resource.terraform_data.x.output]
}
module "m" {
  source = "./m"
}
