variable "description" {
}
variable "type" {
}
