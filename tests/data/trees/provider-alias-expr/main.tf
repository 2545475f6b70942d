variable "x" {
  default = 1
}
provider "terraform" {
  alias = var.x
}
