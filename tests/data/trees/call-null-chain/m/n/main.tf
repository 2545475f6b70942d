variable "v" {
  nullable = false
}
