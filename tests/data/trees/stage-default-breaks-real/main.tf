variable "q" {
  default = "q"
}
module "a" {
  source = "./m"
}
output "o" {
  value = tonumber(var.q)
}
