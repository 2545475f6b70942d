resource "terraform_data" "a" {
  depends_on = [module.nope, var.nope, local.nope]
}
