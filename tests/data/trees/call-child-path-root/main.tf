module "a" {
  source = "./m"
}
output "o" {
  value = module.a.o
  precondition {
    condition     = module.a.o == "."
    error_message = "Got ${module.a.o}."
  }
}
