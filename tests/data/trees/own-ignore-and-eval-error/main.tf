resource "terraform_data" "a" {
  input = tonumber("q")
  lifecycle {
    ignore_changes = [nope]
  }
}
