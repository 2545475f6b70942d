resource "terraform_dat" "a" {
}
output "o" {
  value = tonumber("q")
}
