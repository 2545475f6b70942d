variable "q" {
  type    = string
  default = "q"
}
module "a" {
  source = "./a"
  x      = { a = var.q, b = 1 }
}
output "o" {
  value = tonumber(var.q)
}
