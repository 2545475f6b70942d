module "network" {
  source = "../../modules/network"
  cidr   = "10.1.0.0/16"
}

module "bucket" {
  source = "../../modules/bucket"
  bucket = { name = "logs-${var.region}" }
}
