resource "terraform_data" "b" {
  inputs = 1
  output = 2
  id     = "x"
  blk {
  }
}
