resource "terraform_data" "a" {
  timeouts {
  }
}
