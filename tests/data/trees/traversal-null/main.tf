output "a" {
  value = null.foo
}
output "b" {
  value = true.a[0]
}
