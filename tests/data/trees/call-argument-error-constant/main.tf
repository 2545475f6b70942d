module "a" {
  source = "./m"
  x      = tonumber("q")
}
