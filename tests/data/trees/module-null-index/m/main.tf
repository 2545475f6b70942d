output "o" {
  value = null
}
