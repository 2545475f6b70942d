# Every way for a value to come to an argument. Made for a test of both modes of `terraschema policy`.

variable "env" {
  type = string
}

variable "replicas" {
  type    = number
  default = 3
}

variable "ports" {
  type = map(object({ port = number, open = optional(bool, false), name = optional(string) }))
  default = {
    http = { port = 80, open = true }
    ssh  = { port = 22 }
  }
}

variable "password" {
  type      = string
  sensitive = true
  default   = "planted-default"
}

variable "nothing" {
  type    = list(string)
  default = null
}

locals {
  common = { env = var.env, team = "core", cost = 12.5 }
  names  = [for index in range(var.replicas) : format("%s-%02d", var.env, index)]
  is_big = var.replicas > 2
  cidr   = "10.0.0.0/16"
  roles  = { for name, port in var.ports : name => "${name}:${port.port}" if port.port < 1000 }
  open   = toset([for name, port in var.ports : name if port.open])
}

resource "terraform_data" "constants" {
  input = {
    text   = "a"
    number = 1
    truth  = true
    null   = null
    list   = [1, "b", false]
    empty  = []
    nested = { deep = { deeper = ["x", { y = "z" }] } }
  }
}

resource "terraform_data" "functions" {
  input = {
    merged   = merge(local.common, { env = upper(var.env), size = local.is_big ? "large" : "small" })
    joined   = join(",", local.names)
    encoded  = jsonencode({ Statement = [{ Effect = "Allow", Action = "*" }] })
    decoded  = jsondecode("{\"a\": [1, 2]}")
    subnet   = cidrsubnet(local.cidr, 8, 2)
    replaced = replace("a-b", "-", "_")
    length   = length(local.names)
    keys     = keys(var.ports)
    lookup   = lookup(local.roles, "ssh", "none")
    tried    = try(var.ports.ftp.port, 0)
    nullable = coalesce(var.nothing, ["fallback"])
  }
  triggers_replace = [sha256(var.env), local.roles]
}

resource "terraform_data" "counted" {
  count = var.replicas
  input = {
    name  = local.names[count.index]
    index = count.index
    first = count.index == 0
  }
}

resource "terraform_data" "each" {
  for_each = var.ports
  input = {
    key  = each.key
    port = each.value.port
    open = each.value.open
    name = each.value.name
  }
}

resource "terraform_data" "set" {
  for_each = local.open
  input    = "open ${each.value}"
}

resource "terraform_data" "none" {
  count = var.env == "dev" ? 1 : 0
  input = "only in dev"
}

resource "terraform_data" "secrets" {
  input = {
    password = var.password
    inline   = sensitive("planted-inline")
    user     = "admin"
  }
}

resource "terraform_data" "reference" {
  input = {
    id      = terraform_data.constants.id
    text    = terraform_data.constants.input.text
    output  = terraform_data.functions.output
    all     = terraform_data.counted[*].input.name
    one     = terraform_data.each["ssh"].input.port
    plain   = "kept"
    partly  = { id = terraform_data.constants.id, kept = "as well" }
    mixed   = [terraform_data.constants.id, "beside"]
    message = "id is ${terraform_data.constants.id}"
  }
  triggers_replace = module.network["a"].subnets
}

module "network" {
  source   = "./network"
  for_each = { a = 1, b = 2 }
  name     = "${var.env}-${each.key}"
  size     = each.value
  owner    = terraform_data.constants.id
  tags     = merge(local.common, { key = each.key })
}

output "names" {
  value = local.names
}

output "secret" {
  value     = var.password
  sensitive = true
}

output "id" {
  value = terraform_data.constants.id
}

check "sound" {
  assert {
    condition     = length(local.names) > 0
    error_message = "There are no names."
  }
}
