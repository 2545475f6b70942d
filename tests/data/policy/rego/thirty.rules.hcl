# Thirty-two rules that thirty.rego says, too. A test compares what both find.
rule "size" {
  resource "shapes_machine" {
    size = any(8, 16)
  }
}
rule "kind-required" {
  resource "shapes_machine" {
    kind = required
  }
}
rule "kind-forbidden" {
  resource "shapes_machine" {
    kind = forbidden
  }
}
rule "enabled" {
  resource "shapes_machine" {
    enabled = true
  }
}
rule "name-pattern" {
  resource "shapes_machine" {
    name = string({ pattern = "^[a-z-]+$" })
  }
}
rule "name-length" {
  resource "shapes_machine" {
    name = length(self) < 10
  }
}
rule "zones-some" {
  resource "shapes_machine" {
    zones = optional(list(string, { min_items = 1 }))
  }
}
rule "zones-each" {
  resource "shapes_machine" {
    zones = optional(list(any("z-a", "z-c")))
  }
}
rule "ports" {
  resource "shapes_machine" {
    ports = optional(set(number({ max = 100 })))
  }
}
rule "owner" {
  resource "shapes_machine" {
    tags = { owner = required }
  }
}
rule "env" {
  resource "shapes_machine" {
    tags = { env = any("dev", "test") }
  }
}
rule "tags-all" {
  resource "shapes_machine" {
    tags_all = { made-by = "terraform", owner = string({ min_length = 3 }) }
  }
}
rule "weights" {
  resource "shapes_machine" {
    weights = optional(map(number({ min = 2 })))
  }
}
rule "protocols" {
  resource "shapes_machine" {
    rule {
      protocol = "tcp"
    }
  }
}
rule "allowed" {
  resource "shapes_machine" {
    rule = list({ allow = true })
  }
}
rule "cidrs" {
  resource "shapes_machine" {
    rule {
      cidrs = required
    }
  }
}
rule "open-ports" {
  resource "shapes_machine" {
    rule {
      where {
        protocol = "tcp"
      }
      port {
        number = any(443, 80)
      }
    }
  }
}
rule "tag" {
  resource "shapes_machine" {
    tag {
      where {
        key = "a"
      }
      value = "2"
    }
  }
}
rule "no-logging" {
  resource "shapes_machine" {
    logging = []
  }
}
rule "target" {
  resource "shapes_machine" {
    logging = list({ target = "archive" })
  }
}
rule "filter" {
  resource "shapes_machine" {
    logging {
      filter {
        prefix = "logs/"
      }
    }
  }
}
rule "timeouts" {
  resource "shapes_machine" {
    timeouts {
      create = "10m"
    }
  }
}
rule "encrypted" {
  forbid "shapes_disk" {
    encrypted = false
  }
}
rule "new-labels" {
  when = { actions = ["create"] }
  forbid "shapes_label" {}
}
rule "nothing-goes" {
  when = { actions = ["delete", "replace"] }
  forbid "*" {}
}
rule "documents" {
  resource "shapes_machine" {
    policy = optional(json({ Statement = list({ Effect = "Allow" }) }))
  }
}
rule "ratio" {
  resource "shapes_machine" {
    ratio = optional(number({ max = 0.05 }))
  }
}
rule "by-kind" {
  resource "shapes_machine" {
    size = parent.kind == "large" ? 8 : any(8, 2)
  }
}
rule "region" {
  resource "shapes_machine" {
    region = deny("south")
  }
}
rule "groups" {
  resource "shapes_machine" {
    groups = some("admins")
  }
}
rule "zone" {
  data "shapes_zone" {
    name = "z-dev"
  }
}
rule "input" {
  resource "terraform_data" {
    input = any("block", "bucket")
  }
}
