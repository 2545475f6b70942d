variable "names" {
  default = ["ab", "cd"]
}
module "m" {
  source   = "./m"
  for_each = toset(var.names)
  name     = each.key
}
