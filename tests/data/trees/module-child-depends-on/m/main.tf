resource "terraform_data" "t" {
}
output "o" {
  value      = "q"
  depends_on = [terraform_data.t]
}
