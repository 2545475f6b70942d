resource "terraform_data" "b" {}
module "a" {
  source = "./m"
  depends_on = [terraform_data.b.id]
}
