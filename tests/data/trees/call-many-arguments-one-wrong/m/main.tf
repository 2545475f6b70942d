variable "a" {
  type = number
}
variable "b" {
  type = set(string)
}
variable "c" {
  type = list(number)
}
variable "d" {
  type = map(string)
}
