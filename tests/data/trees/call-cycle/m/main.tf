module "b" {
  source = "../n"
}
