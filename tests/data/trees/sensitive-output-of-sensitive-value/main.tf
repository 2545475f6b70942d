module "a" {
  source = "./m"
}
output "with" {
  value = module.a.with
}
output "without" {
  value = module.a.without
}
output "declared" {
  value     = module.a.with
  sensitive = true
}
output "whole" {
  value = jsonencode(module.a)
}
output "names" {
  value = keys(module.a)
}
