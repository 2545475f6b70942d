output "o" {
  value = count.index
}
