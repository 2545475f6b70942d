output "a" {
  value = provider::terraform::encode_tfvars({ a = 1 })
}
