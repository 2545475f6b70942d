module "this" {
  source = "../.."
  name   = "x"
}
