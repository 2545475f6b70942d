resource "terraform_data" "t" {
}
module "a" {
  source = "./m"
  x      = { a = terraform_data.t.id, b = "q" }
}
