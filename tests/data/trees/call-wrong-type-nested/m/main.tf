variable "x" {
  type = object({ a = list(object({ b = number })) })
}
