resource "terraform_dat" "b" {
}
