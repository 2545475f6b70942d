output "o" {
  value = local.nope
}
