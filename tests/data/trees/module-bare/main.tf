output "a" {
  value = module
}
