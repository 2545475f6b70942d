output "a" {
  value = { b = 1 }
}
