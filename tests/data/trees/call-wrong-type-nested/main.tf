module "a" {
  source = "./m"
  x      = { a = [{ b = "q" }, { c = [] }] }
}
