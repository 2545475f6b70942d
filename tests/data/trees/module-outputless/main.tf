module "a" {
  source = "./m"
}
output "r" {
  value = module.a
}
output "s" {
  value = module.a.x
}
