output "o" {
  value = "v"
}
