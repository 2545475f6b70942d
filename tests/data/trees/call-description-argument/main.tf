module "a" {
  source      = "./m"
  description = "x"
  type        = "y"
}
