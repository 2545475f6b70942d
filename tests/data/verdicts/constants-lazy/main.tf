variable "a" {
  type    = any
  default = [for x in [] : y]
}
variable "b" {
  type    = any
  default = true ? 1 : nope
}
variable "c" {
  type = object({ x = optional(any, false ? nope.x : "d") })
  default = {}
}
