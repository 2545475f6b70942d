variable "q" {
}
module "a" {
  source = "./m"
}
