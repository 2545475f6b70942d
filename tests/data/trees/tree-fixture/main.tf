variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z]+$", var.name))
    error_message = "Lower case letters only."
  }
}
module "part" {
  source = "./modules/part"
  name   = var.name
}
output "part" {
  value = module.part.name
}
