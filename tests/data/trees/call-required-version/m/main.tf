terraform {
  required_version = ">= 99"
}
variable "x" {}
