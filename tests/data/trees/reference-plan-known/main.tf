resource "terraform_data" "a" {
  input            = "abc"
  triggers_replace = "t"
}
output "in" {
  value = tonumber(terraform_data.a.input)
}
output "out" {
  value = tonumber(terraform_data.a.output)
}
output "id" {
  value = tonumber(terraform_data.a.id)
}
output "trig" {
  value = tonumber(terraform_data.a.triggers_replace)
}
resource "terraform_data" "b" {
}
output "bin" {
  value = terraform_data.b.input.x
}
output "bout" {
  value = terraform_data.b.output.x
}
output "btrig" {
  value = terraform_data.b.triggers_replace.x
}
output "idx" {
  value = terraform_data.b.id.x
}
