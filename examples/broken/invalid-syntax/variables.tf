# The block is never closed.
variable "name" {
  type = string
