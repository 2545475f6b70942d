resource "terraform_data" "t" {
}
module "a" {
  source = "./m"
  v      = try(tonumber(terraform_data.t.id), 1)
}
