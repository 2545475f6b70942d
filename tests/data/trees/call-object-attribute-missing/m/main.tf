variable "o" {
  type = object({
    name = string
    size = optional(number, 5)
  })
}
