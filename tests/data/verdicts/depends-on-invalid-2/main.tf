variable "a" {}
output "o" {
 value = 1
 depends_on = [1]
}
