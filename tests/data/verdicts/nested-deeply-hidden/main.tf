variable "a" {
  ephemeral = true
}
variable "b" {
  type = string
  default = ""
}
variable "c" {
  type = string
  default = ""
  validation {
    condition     = var.c == ""
    error_message = "m"
  }
}
