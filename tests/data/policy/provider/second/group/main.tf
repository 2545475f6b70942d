# Machines of one name, and a disk.

terraform {
  required_providers {
    shapes = { source = "example/shapes" }
  }
}

variable "name" {
  type = string
}

variable "size" {
  type = number
}

variable "machine" {
  type = string
}

variable "password" {
  type      = string
  sensitive = true
}

variable "tags" {
  type = map(string)
}

resource "shapes_machine" "member" {
  count    = var.size
  name     = format("%s-%02d", var.name, count.index)
  size     = var.size > 1 ? 16 : 32
  password = "planted-${var.password}"
  tags     = merge(var.tags, { Name = upper(var.name) })
  rule {
    protocol = "tcp"
    cidrs    = [cidrsubnet("10.0.0.0/16", 8, count.index)]
  }
}

resource "shapes_disk" "shared" {
  machine  = var.machine
  machines = shapes_machine.member[*].id
}

output "names" {
  value = shapes_machine.member[*].name
}
