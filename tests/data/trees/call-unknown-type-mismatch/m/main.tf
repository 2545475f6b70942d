variable "x" {
  type = list(string)
}
