variable "x" {
  type    = number
  default = "x"
}
