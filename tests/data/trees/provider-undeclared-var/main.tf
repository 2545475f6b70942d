provider "terraform" {
  x = var.nope
}
resource "terraform_data" "a" {
}
