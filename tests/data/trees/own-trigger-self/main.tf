resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [self.id]
  }
}
