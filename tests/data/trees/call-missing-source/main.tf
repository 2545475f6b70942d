module "a" {
}
