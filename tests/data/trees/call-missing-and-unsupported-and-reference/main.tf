module "a" {
  source = "./m"
  y      = var.nope
}
output "o" {
  value = tonumber("q")
}
