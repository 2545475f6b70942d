variable "x" {
}
variable "y" {
}
variable "z" {
}
