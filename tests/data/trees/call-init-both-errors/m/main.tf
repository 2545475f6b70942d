variable "x" {
  nope = 1
}
