resource "terraform_data" "t" {
}
output "size" {
  value = length(terraform_data.t.id)
}
