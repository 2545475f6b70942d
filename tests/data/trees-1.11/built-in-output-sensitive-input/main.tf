resource "terraform_data" "a" { input = sensitive("x") }
output "x" { value = terraform_data.a.output }
