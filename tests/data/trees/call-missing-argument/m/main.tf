variable "x" {
}
variable "y" {
}
