data "terraform_data" "a" {
}
