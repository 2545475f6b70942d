variable "cidr" {
  validation {
    condition     = can(cidrhost(var.cidr, 0))
    error_message = "No network."
  }
}

variable "vpc" {}

resource "terraform_data" "subnet" {
  input = {
    cidr = var.cidr
    host = cidrhost(var.cidr, 5)
    name = var.vpc.input.name
    vpc  = var.vpc.id
    tag  = var.vpc.input.tags["team"]
  }
}

output "cidr" {
  value = terraform_data.subnet.input.cidr
}
