variable "x" {
  default = "x"
}
module "a" {
  source = "./m"
  x      = count.index
  y      = each.value
}
output "o" {
  value = tonumber(var.x)
}
