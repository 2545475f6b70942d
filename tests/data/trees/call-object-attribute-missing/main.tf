module "a" {
  source = "./m"
  o      = { nam = "n" }
}
