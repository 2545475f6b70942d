output "o" {
  value = []
}
