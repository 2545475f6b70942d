output "a" {
  value = provider::terraform::tfvarsencode({ a = 1 })
}
