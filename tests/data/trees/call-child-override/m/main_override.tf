variable "x" {
  default = 2
}
