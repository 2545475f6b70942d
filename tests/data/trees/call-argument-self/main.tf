module "a" {
  source = "./m"
  x      = self.id
}
