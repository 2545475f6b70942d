module "a" {
  source = "./x/../m"
}
