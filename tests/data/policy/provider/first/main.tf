# Every kind of argument and block of tests/provider, created from nothing.

terraform {
  required_providers {
    shapes = { source = "example/shapes" }
  }
}

variable "env" {
  type    = string
  default = "prod"
}

variable "password" {
  type      = string
  sensitive = true
  default   = "planted-default"
}

variable "rules" {
  type = list(object({ protocol = string, ports = set(number), cidrs = optional(list(string)) }))
  default = [
    { protocol = "tcp", ports = [443, 80], cidrs = ["10.0.0.0/8"] },
    { protocol = "icmp", ports = [] },
  ]
}

variable "logging" {
  type    = object({ target = string, prefix = optional(string) })
  default = { target = "store" }
}

locals {
  tags = { owner = "core-team", env = var.env }
}

provider "shapes" {
  token        = "planted-token"
  default_tags = { made-by = "terraform" }
}

data "shapes_zone" "main" {
  name = "z-${var.env}"
  filter {
    name   = "kind"
    values = ["b", "a"]
  }
}

data "shapes_zone" "later" {
  name = shapes_machine.full.arn
}

# Everything is written.
resource "shapes_machine" "full" {
  name     = "full-${var.env}"
  kind     = "large"
  region   = "south"
  size     = 4 * 4
  ratio    = 0.1
  enabled  = false
  public   = false
  password = var.password
  seed     = "planted-seed"
  policy   = jsonencode({ Statement = [{ Effect = "Deny", Action = "*" }] })
  zones    = ["z-b", "z-a"]
  matrix   = [[1, 2], [], [3]]
  ports    = [443, 80, 22]
  groups   = ["ops", "dev"]
  tags     = merge(local.tags, { cost = "12.50" })
  weights  = { a = 1, b = 2 }
  access   = [{ role = "reader" }, { role = "writer" }]

  rule {
    protocol = "tcp"
    allow    = false
    cidrs    = ["10.0.0.0/8", "192.168.0.0/16"]
    port {
      number = 443
      name   = "https"
    }
    port {
      number = 80
    }
  }
  rule {
    protocol = "icmp"
  }
  tag {
    key   = "b"
    value = "2"
  }
  tag {
    key   = "a"
    value = "1"
  }
  logging {
    target = "store"
    format = "json"
    filter {
      prefix = "logs/"
    }
  }
  user {
    name     = "admin"
    password = var.password
  }
  user {
    name     = "guest"
    password = "planted-literal"
  }
  timeouts {
    create = "10m"
  }
  lifecycle {
    prevent_destroy = true
  }
}

# Only what must be written.
resource "shapes_machine" "bare" {
  name = "bare"
}

# Everything that is empty.
resource "shapes_machine" "empty" {
  name    = "empty"
  kind    = null
  zones   = []
  ports   = []
  tags    = {}
  weights = {}
  access  = []
  dynamic "rule" {
    for_each = []
    content {
      protocol = "none"
    }
  }
}

# Blocks from values.
resource "shapes_machine" "dynamic" {
  count = 2
  name  = "dynamic-${count.index}"
  tags  = local.tags
  dynamic "rule" {
    for_each = var.rules
    content {
      protocol = rule.value.protocol
      cidrs    = rule.value.cidrs
      dynamic "port" {
        for_each = rule.value.ports
        iterator = each_port
        content {
          number = each_port.value
          name   = "p${each_port.value}"
        }
      }
    }
  }
  dynamic "logging" {
    for_each = var.logging[*]
    content {
      target = logging.value.target
      dynamic "filter" {
        for_each = logging.value.prefix[*]
        content {
          prefix = filter.value
        }
      }
    }
  }
}

# What only apply knows, in each kind of place.
resource "shapes_machine" "later" {
  name   = "later-${shapes_machine.bare.arn}"
  kind   = "small"
  policy = jsonencode({ Resource = shapes_machine.full.arn })
  zones  = ["z-a", shapes_machine.bare.region]
  ports  = [80, length(shapes_machine.bare.arn)]
  tags   = { owner = shapes_machine.bare.arn, env = "prod" }
  rule {
    protocol = shapes_machine.bare.region
    cidrs    = ["10.0.0.0/8"]
    port {
      number = length(shapes_machine.bare.arn)
      name   = "later"
    }
  }
  tag {
    key   = shapes_machine.bare.arn
    value = "known"
  }
  tag {
    key   = "a"
    value = shapes_machine.bare.arn
  }
  logging {
    target = shapes_machine.bare.id
    filter {
      prefix = "kept/"
    }
  }
}

# Blocks of which nobody knows how many there are.
resource "shapes_machine" "some" {
  name = "some"
  dynamic "rule" {
    for_each = toset([shapes_machine.bare.arn])
    content {
      protocol = "tcp"
    }
  }
}

# Blocks of a set, which a plan sorts, and blocks of which only some stand in the plan's configuration.
resource "shapes_machine" "linked" {
  name = "linked"
  tag {
    key   = shapes_machine.full.id
    value = "z"
  }
  tag {
    key   = shapes_machine.bare.id
    value = "a"
  }
  dynamic "rule" {
    for_each = ["one", null]
    content {
      protocol = "tcp"
      cidrs    = rule.value[*]
    }
  }
  rule {
    protocol = shapes_machine.bare.arn
  }
}

resource "shapes_disk" "each" {
  for_each  = { a = true, "b.c" = false }
  name      = each.key
  machine   = shapes_machine.full.id
  encrypted = each.value
  zone      = data.shapes_zone.main.code
}

resource "shapes_disk" "counted" {
  count    = 2
  name     = "counted-${count.index}"
  machine  = shapes_machine.dynamic[count.index].id
  machines = [shapes_machine.full.id, shapes_machine.bare.id]
}

resource "shapes_label" "old" {
  name = "old"
  text = "moves"
}

resource "shapes_label" "gone" {
  name = "gone"
  text = "goes"
}

resource "shapes_label" "forgotten" {
  name = "forgotten"
}

module "group" {
  source   = "./group"
  for_each = { web = 2, db = 1 }
  name     = "${var.env}-${each.key}"
  size     = each.value
  machine  = shapes_machine.full.id
  password = var.password
  tags     = merge(local.tags, { group = each.key })
}

output "arns" {
  value = [shapes_machine.full.name, shapes_machine.bare.arn]
}

output "password" {
  value     = var.password
  sensitive = true
}
