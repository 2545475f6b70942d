resource "terraform" "a" {}
