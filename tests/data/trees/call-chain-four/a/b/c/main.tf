variable "v" {
  validation {
    condition     = var.v == 4
    error_message = "Not 4 but ${var.v}."
  }
}
module "d" {
  source = "./d"
  v      = var.v + 1
}
