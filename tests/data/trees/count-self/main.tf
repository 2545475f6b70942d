resource "terraform_data" "r" {
  count = self.id
}
module "c" {
  source = "./m"
  count  = self.id
}
