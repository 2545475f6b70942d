output "with" {
  value     = sensitive("x")
  sensitive = true
}
output "without" {
  value = sensitive("x")
}
