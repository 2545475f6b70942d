output "é" { value = 1 }
