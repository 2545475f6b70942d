output "o" {
  value = trimspace(file("${path.module}/f.txt"))
}
