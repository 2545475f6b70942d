output "o" { value = templatestring(timestamp(), {}) }
