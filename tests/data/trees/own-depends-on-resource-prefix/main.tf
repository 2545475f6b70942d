resource "terraform_data" "b" {}
resource "terraform_data" "a" {
  depends_on = [resource.terraform_data.b.id]
}
