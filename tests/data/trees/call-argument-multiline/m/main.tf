variable "x" {
  type = list(number)
}
