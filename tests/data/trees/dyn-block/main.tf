resource "terraform_data" "a" {
  dynamic "nope" {
    for_each = [1]
    content {
      a = nope.value
    }
  }
}
