variable "a" {}
output "o" {
 value = 1
 depends_on = [var.a.b, path.module]
}
