variable "x" {
  sensitive = true
  type      = number
}
