output "r" {
  value     = 1
  ephemeral = true
}
