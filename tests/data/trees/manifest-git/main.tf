module "a" {
  source = "git::https://example.com/x.git?ref=v1"
  x      = "q"
}
