resource "terraform_data" "service" {
  input = {
    name     = "${var.environment}-${var.name}"
    replicas = var.replicas
    ports    = var.ports
    labels   = var.labels
    database = var.database
  }
}
