output "o" {
  value = sensitive("abc")
}
