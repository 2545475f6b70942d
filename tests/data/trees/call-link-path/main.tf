module "a" {
  source = "./link"
}
output "o" {
  value = module.a.path
  precondition {
    condition     = module.a.path == "modules/m"
    error_message = "Got ${module.a.path}."
  }
}
