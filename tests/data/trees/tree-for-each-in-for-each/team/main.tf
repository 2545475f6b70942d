variable "name" {
  type = string
}
variable "members" {
  type = map(object({
    size = number
    tags = list(string)
  }))
}
module "member" {
  source   = "../member"
  for_each = var.members
  label    = "${var.name}-${each.key}"
  size     = each.value.size
  tags     = each.value.tags
}
output "labels" {
  value = values(module.member)[*].label
}
