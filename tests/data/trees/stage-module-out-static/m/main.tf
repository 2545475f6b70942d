output "x" {
  value = "x"
}
