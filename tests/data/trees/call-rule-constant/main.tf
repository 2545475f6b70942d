module "a" {
  source = "./m"
  x      = 1
}
output "o" {
  value = tonumber(var.q)
}
variable "q" {
  default = "q"
}
