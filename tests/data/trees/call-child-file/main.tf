module "a" {
  source = "./m"
}
output "o" {
  value = module.a.o
  precondition {
    condition     = module.a.o == "text"
    error_message = "Other text."
  }
}
