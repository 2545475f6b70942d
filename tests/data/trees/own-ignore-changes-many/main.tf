resource "terraform_data" "a" {
  lifecycle {
    ignore_changes = [input, input.x, input["x"], input[0].y, id, output.x, triggers_replace, id.x]
  }
}
