action "terraform_x" "a" {
}
