module "a-b" {
  source = "./m"
  x-y    = 1
}
output "o" {
  value = module.a-b.o-p
  precondition {
    condition     = module.a-b.o-p == 1
    error_message = "Not one."
  }
}
