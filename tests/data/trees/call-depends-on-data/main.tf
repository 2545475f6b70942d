resource "terraform_data" "t" {
}
module "m" {
  source     = "./m"
  depends_on = [terraform_data.t]
}
output "o" {
  value = module.m.o
  precondition {
    condition     = module.m.o == 1
    error_message = "Not 1."
  }
}
