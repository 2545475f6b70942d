# What a module's source names today, it names tomorrow.
locals {
  path     = string({ pattern = "^\\.\\.?/" })
  git      = string({ pattern = "^git::.*[?&]ref=(v[0-9]+\\.[0-9]+\\.[0-9]+|[0-9a-f]{40})$" })
  registry = string({ pattern = "^([a-z0-9.-]+\\.[a-z]+/)?[0-9A-Za-z_-]+/[0-9A-Za-z_-]+/[0-9a-z]+(//.*)?$" })
}

rule "pinned-modules" {
  message = "A module is a path, a tag or commit of git, or one version of the registry."

  module "*" {
    source  = any(local.path, local.git, local.registry)
    version = matches(parent.source, local.registry) ? string({ pattern = "^(= *)?[0-9]+\\.[0-9]+\\.[0-9]+$" }) : optional(string)
  }
}

test "sources" {
  plan = "plans/modules.json"
  expect = {
    pinned-modules = {
      "module.local"       = "pass"
      "module.pinned"      = "pass"
      "module.registry"    = "pass"
      "module.branch"      = "fail"
      "module.range"       = "fail"
      "module.versionless" = "fail"
      "module.foreign"     = "fail"
    }
  }
}
