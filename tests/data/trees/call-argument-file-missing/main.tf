module "a" {
  source = "./m"
  x      = file("${path.module}/nope.txt")
}
