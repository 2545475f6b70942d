module "a" {
  source = "./m"
}
output "a" {
  value = module.a["nope"]
}
output "b" {
  value = try(module.a["nope"], 1)
}
output "c" {
  value = try(module.a.nope, 1)
}
