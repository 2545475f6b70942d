resource "terraform_data" "r" {
  count = count.index
}
module "c" {
  source = "./m"
  count  = count.index
}
