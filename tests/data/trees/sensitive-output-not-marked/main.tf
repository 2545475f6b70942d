module "a" {
  source = "./m"
}
module "b" {
  source = "./m"
  count  = 1
}
module "c" {
  source   = "./m"
  for_each = { x = 1 }
}
output "plain" {
  value = [module.a.flag, module.b[0].flag, module.c["x"].flag]
  precondition {
    condition     = !issensitive(module.a.flag) && !issensitive(module.b[0].flag) && !issensitive(module.c["x"].flag)
    error_message = "Marked."
  }
}
