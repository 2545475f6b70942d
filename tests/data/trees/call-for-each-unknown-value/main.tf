resource "terraform_data" "t" {
}
module "a" {
  source   = "./m"
  for_each = { a = terraform_data.t.id, b = "bad" }
  v        = each.value
}
