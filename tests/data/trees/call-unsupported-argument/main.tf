module "a" {
  source = "./m"
  xx     = 1
  zzz    = tonumber("q")
}
