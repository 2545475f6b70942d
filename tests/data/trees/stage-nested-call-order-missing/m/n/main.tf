variable "y" {
}
