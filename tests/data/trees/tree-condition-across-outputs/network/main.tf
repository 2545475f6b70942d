variable "zones" {
  type = list(string)
}
output "zones" {
  value = [for z in var.zones : upper(z)]
}
