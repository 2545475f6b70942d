resource "terraform_data" "b" {
 count = 1
}
resource "terraform_data" "a" {
  depends_on = [terraform_data.b[0].id]
}
