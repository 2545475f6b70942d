module "o" {
  source = "../other"
  x      = 1
}
