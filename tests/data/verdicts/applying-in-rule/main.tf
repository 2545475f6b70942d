variable "a" {

  validation {
    condition = terraform.applying || var.a == "x"
    error_message = "q ${terraform.applying}"
  }
}
