variable "x" {
  type    = strin
  default = "x"
}
