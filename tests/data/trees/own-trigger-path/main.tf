resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [path.module]
  }
}
