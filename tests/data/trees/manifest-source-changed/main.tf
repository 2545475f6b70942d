module "a" {
  source = "git::https://example.com/x.git"
}
