resource "terraform_data" "a" {
  _ {
    nope = 1
  }
}
