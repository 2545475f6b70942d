variable "a" {
 type = object({x=optional(string,"d"),y=optional(object({z=optional(bool,true),w=optional(number,5)}),{})})
 default = {"x"="def"}
 nullable = false
 validation {
  condition = try(var.a.x, "q") != "zz"
  error_message = "m"
 }
}
