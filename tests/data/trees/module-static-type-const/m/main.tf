output "o" {
  value = "abc"
}
