module "a" {
  source = "./m"
}
output "p" {
  value = keys(module.a)
}
output "q" {
  value = module.a.x
}
