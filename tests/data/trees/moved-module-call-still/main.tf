moved {
  from = module.old
  to   = module.new
}
module "old" {
  source = "./m"
}
module "new" {
  source = "./m"
}
