variable "settings" {
  type = object({
    name  = string
    count = optional(number, 1)
    inner = optional(object({ flag = optional(bool, true) }), {})
  })
  default = { name = "n" }
}
module "one" {
  source   = "./one"
  settings = var.settings
}
