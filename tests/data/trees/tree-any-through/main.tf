variable "v" {
  type    = any
  default = [{ a = 1 }, { a = "x", b = true }]
}
module "one" {
  source = "./one"
  v      = var.v
}
