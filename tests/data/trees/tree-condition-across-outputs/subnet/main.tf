variable "index" {
  type = number
}
variable "zones" {
  type = list(string)
}
output "zone" {
  value = element(var.zones, var.index)
}
