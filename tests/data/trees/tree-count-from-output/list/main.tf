variable "names" {
}
output "size" {
  value = length(var.names)
}
output "names" {
  value = var.names
}
output "keyed" {
  value = { for n in var.names : n => "${n}${n}" }
}
