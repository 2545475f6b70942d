ephemeral "terraform_data" "a" {
}
