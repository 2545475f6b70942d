variable "name" {
  type = string
}
module "a" {
  source = "./m"
  name   = "${var.name}-a"
}
