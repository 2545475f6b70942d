locals {
  x = local.nope
}
