output "o" {
  value     = "abc"
  sensitive = true
}
output "x" {
  value = "abc"
}
