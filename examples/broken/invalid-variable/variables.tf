# The default is of another type.
variable "size" {
  type    = number
  default = "large"
}
