variable "a" {
 type = string
 default = "x"
}
variable "b" {
 type = string
 default = "x"
}
variable "c" {
 type = string
 default = "x"
}
terraform {
 experiments = [foo]
}
