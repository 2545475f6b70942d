variable "a" {
  default = 1
}
terraform {
  required_version = "x"
}
