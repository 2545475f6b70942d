module "b" {
  source = "./m"
  count  = 2
  x      = count.index
}
output "a" {
  value = tonumber(module.b[0].y)
}
output "b" {
  value = tonumber(module.b[1].x)
}
