output "x" {
  value      = 1
  depends_on = [module.nope, local.nope, var.nope]
}
