output "p" {
  value = { a = [sensitive("a")] }
}
