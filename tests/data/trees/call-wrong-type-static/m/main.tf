variable "x" {
  type = number
}
