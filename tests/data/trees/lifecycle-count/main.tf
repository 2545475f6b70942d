resource "terraform_data" "a" {
  count = 2
  lifecycle {
    precondition {
      condition     = count.index == 1
      error_message = "x ${count.index}"
    }
  }
}
