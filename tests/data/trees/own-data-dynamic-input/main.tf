resource "terraform_data" "a" {
  dynamic "input" {
    for_each = []
    content {}
  }
}
