data "terraform_remote_stat" "b" {
}
