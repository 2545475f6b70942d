variable "x" {
  default = null
}
