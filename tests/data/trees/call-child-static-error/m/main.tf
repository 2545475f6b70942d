locals {
  y = var.nope
  z = tonumber("q")
}
