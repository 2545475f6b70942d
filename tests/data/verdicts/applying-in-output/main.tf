variable "a" {}
output "o" {
 value = terraform.applying
}
