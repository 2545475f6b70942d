resource "terraform_data" "a" {
  provisioner "nope" {
  }
}
output "o" {
  value = tonumber("q")
}
