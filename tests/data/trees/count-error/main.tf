resource "terraform_data" "r" {
  count = tonumber("q")
}
module "c" {
  source = "./m"
  count  = tonumber("q")
}
