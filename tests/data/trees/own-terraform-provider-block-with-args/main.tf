provider "terraform" {
  x = 1
}
resource "terraform_data" "a" {}
