output "o" {
  value     = "abc"
  sensitive = true
}
