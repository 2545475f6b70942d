variable "v" {
  type    = number
  default = 1
}
module "a" {
  source = "./a"
  v      = var.v
}
output "o" {
  value = module.a.o
  precondition {
    condition     = module.a.o == 3
    error_message = "Got ${module.a.o}."
  }
}
