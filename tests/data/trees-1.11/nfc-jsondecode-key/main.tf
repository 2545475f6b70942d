output "o" { value = jsondecode("{\"e\\u0301\":1}").é }
