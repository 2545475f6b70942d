variable "q" {
  default = "q"
}
module "a" {
  source = "./a"
  x      = 1
  y      = 2
}
output "o" {
  value = tonumber(var.q)
}
