module "a" {
  source = "./m"
}
output "o" {
  value = tonumber("q")
}
