resource "terraform_data" "a" {
  count      = 1
  depends_on = [count.index, each.key, self.id]
}
