resource "terraform_data" "r" {
  for_each = { (sensitive("a")) = 1 }
}
module "c" {
  source   = "./m"
  for_each = { (sensitive("a")) = 1 }
}
