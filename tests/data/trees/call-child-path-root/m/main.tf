output "o" {
  value = path.root
}
