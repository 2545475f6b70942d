ephemeral "terraform_x" "b" {
}
