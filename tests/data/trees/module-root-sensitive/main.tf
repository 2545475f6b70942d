output "p" {
  value = sensitive("a")
}
