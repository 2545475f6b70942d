provider "terraform" {
  x = var.nope
}
