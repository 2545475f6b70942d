module "a" {
  source = "./${"m"}"
}
