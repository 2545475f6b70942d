variable "name" {}

variable "size" {
  type = number
}

variable "owner" {
  type = string
}

variable "tags" {
  type = map(string)
}

locals {
  blocks = [for index in range(var.size) : cidrsubnet("10.${var.size}.0.0/16", 4, index)]
}

resource "terraform_data" "vpc" {
  input = {
    name  = var.name
    tags  = var.tags
    owner = var.owner
  }
}

module "subnet" {
  source = "./subnet"
  count  = var.size
  cidr   = local.blocks[count.index]
  vpc    = terraform_data.vpc
}

output "subnets" {
  value = module.subnet[*].cidr
}
