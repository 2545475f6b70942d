variable "b" {
  default   = true
  sensitive = true
}
locals {
  bu = sensitive(tobool(terraform_data.u.id))
  nu = sensitive(tonumber(terraform_data.u.id))
  su = sensitive(timestamp())
  lu = sensitive(split(",", timestamp()))
  ob = { x = 1, y = "b" }
  m  = tomap({ x = "1", y = "b" })
  l  = ["a", "b", "c"]
}
resource "terraform_data" "u" { input = "q" }
output "o0" { value = !local.bu }
output "o1" { value = -local.nu }
output "o2" { value = local.bu && true }
output "o3" { value = true || local.bu }
output "o4" { value = local.l[local.nu] }
output "o5" { value = tolist(local.l)[local.nu] }
output "o6" { value = local.ob[local.su] }
output "o7" { value = local.m[local.su] }
output "o8" { value = { (local.su) = 1 } }
output "o9" { value = max(local.lu...) }
output "o10" { value = local.nu + 1 }
output "o11" { value = local.bu == true }
output "o12" { value = local.m["x"] }
output "o13" { value = lookup(local.m, local.su, "q") }
output "o14" { value = flatten([[sensitive(jsondecode(timestamp()))]]) }
output "o15" { value = !var.b }
output "o16" { value = local.lu[0] }
