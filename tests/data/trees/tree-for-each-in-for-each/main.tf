variable "teams" {
  type = map(map(object({
    size = optional(number, 1)
    tags = optional(list(string), ["none"])
  })))
  default = {
    a = { x = {}, y = { size = 2 } }
    b = {}
  }
}
module "team" {
  source   = "./team"
  for_each = var.teams
  name     = each.key
  members  = each.value
}
output "all" {
  value = { for k, t in module.team : k => t.labels }
}
