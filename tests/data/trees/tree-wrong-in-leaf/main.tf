module "a" {
  source = "./middle"
}
module "b" {
  source = "./middle"
}
module "c" {
  source = "./leaf"
}
