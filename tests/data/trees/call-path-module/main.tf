module "a" {
  source = "./x/../m"
}
output "o" {
  value = [module.a.o, path.module, path.root]
  precondition {
    condition     = module.a.o == "m" && path.module == "."
    error_message = "Got ${module.a.o} and ${path.module}."
  }
}
