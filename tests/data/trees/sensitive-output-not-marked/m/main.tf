output "flag" {
  value     = "text"
  sensitive = true
}
