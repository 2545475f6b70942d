module "one" {
  source = "./one"
}
