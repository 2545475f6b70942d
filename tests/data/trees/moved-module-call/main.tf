moved {
  from = module.old
  to   = module.new
}
module "new" {
  source = "./m"
}
