output "o" {
  value = ephemeral.x.y.z
}
