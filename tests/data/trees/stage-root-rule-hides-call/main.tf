variable "q" {
  type    = number
  default = 1
  validation {
    condition     = var.q == 2
    error_message = "Root: ${var.q}."
  }
}
variable "r" {
  type    = number
  default = 1
}
module "a" {
  source = "./m"
  x      = var.q
  y      = var.r
}
