resource "terraform_data" "a" {
  connection {
    host = "x"
    nope = 1
  }
}
