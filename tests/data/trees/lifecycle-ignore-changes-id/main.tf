resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = [id, input.x, "triggers_replace"]
  }
}
