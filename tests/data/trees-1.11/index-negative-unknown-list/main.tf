locals { e = split(",", timestamp())[-1] }
output "o" {
  value = 1
  precondition {
    condition = md5(jsonencode([local.e])) == "zzz"
    error_message = "F"
  }
}
