variable "t" { default = 5 }
output "o" { value = templatestring(var.t, {}) }
