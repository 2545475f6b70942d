variable "x" {
  type = number
}
variable "y" {
}
