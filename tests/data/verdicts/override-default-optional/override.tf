variable "a" {
  default = { y = {} }
}
variable "n" {
  default = { y = {} }
}
variable "t" {
  type = object({ x = optional(string), y = optional(string, "e") })
}
variable "l" {
  default = [{}, { x = null }, null]
}
