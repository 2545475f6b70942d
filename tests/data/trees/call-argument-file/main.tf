module "a" {
  source = "./m"
  x      = jsondecode(file("${path.module}/config.json"))
}
