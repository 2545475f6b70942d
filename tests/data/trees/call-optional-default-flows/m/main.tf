variable "o" {
  type = object({
    size = optional(number, 5)
  })
}
module "b" {
  source = "./n"
  size   = var.o.size
}
