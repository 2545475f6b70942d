module "a" {
  source = "./m"
}
resource "terraform_data" "b" {
  depends_on = [module.a.x, module.a.y[0]]
}
