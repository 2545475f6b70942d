variable "a" {
  type     = object({ x = optional(string, "d"), y = optional(object({ z = optional(number, 5) }), {}) })
  default  = {}
  validation {
    condition     = [var.a, local.want == "null" || jsonencode(var.a) == local.want][1]
    error_message = jsonencode(var.a)
  }
}
variable "n" {
  type     = object({ x = optional(string, "d"), y = optional(object({ z = optional(number, 5) }), {}) })
  nullable = false
  default  = {}
  validation {
    condition     = [var.n, false][1]
    error_message = jsonencode(var.n)
  }
}
variable "t" {
  type     = object({ x = optional(string, "d") })
  default  = {}
  validation {
    condition     = [var.t, false][1]
    error_message = jsonencode(var.t)
  }
}
variable "l" {
  type     = list(object({ x = optional(string, "d") }))
  default  = []
  validation {
    condition     = [var.l, false][1]
    error_message = jsonencode(var.l)
  }
}
locals {
  want = "{}"
}
