output "one" {
  value = 1
}
