variable "settings" {
  type = any
}
module "two" {
  source = "../two"
  count  = var.settings.count
  name   = "${var.settings.name}-${count.index}"
  flag   = var.settings.inner.flag
}
