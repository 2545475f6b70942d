resource "terraform_data" "a" {
  dynamic = []
}
