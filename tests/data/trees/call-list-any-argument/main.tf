variable "v" {
  type    = any
  default = ["a", 1]
}
module "a" {
  source = "./m"
  v      = var.v
}
output "o" {
  value = module.a.o
  precondition {
    condition     = module.a.o == tolist(["a", "1"])
    error_message = "Other."
  }
}
