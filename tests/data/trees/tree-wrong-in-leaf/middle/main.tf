module "leaf" {
  source = "../leaf"
}
