# The rules of thirty.rules.hcl. What only apply can know is missing in `after`; most of these take it for wrong.
package main

import rego.v1

kept(r) if {
	some action in r.change.actions
	action in {"create", "update", "no-op", "read"}
}

of(type) := {r | some r in input.resource_changes; r.type == type; r.mode == "managed"; kept(r)}

machines := of("shapes_machine")

given(r, name) if object.get(r.change.after, name, null) != null

deny contains sprintf("size %s", [r.address]) if {
	some r in machines
	not r.change.after.size in {8, 16}
}

deny contains sprintf("kind-required %s", [r.address]) if {
	some r in machines
	not given(r, "kind")
}

deny contains sprintf("kind-forbidden %s", [r.address]) if {
	some r in machines
	given(r, "kind")
}

deny contains sprintf("enabled %s", [r.address]) if {
	some r in machines
	not r.change.after.enabled == true
}

deny contains sprintf("name-pattern %s", [r.address]) if {
	some r in machines
	not regex.match("^[a-z-]+$", r.change.after.name)
}

deny contains sprintf("name-length %s", [r.address]) if {
	some r in machines
	count(r.change.after.name) >= 10
}

deny contains sprintf("zones-some %s", [r.address]) if {
	some r in machines
	given(r, "zones")
	count(r.change.after.zones) == 0
}

deny contains sprintf("zones-each %s", [r.address]) if {
	some r in machines
	given(r, "zones")
	some zone in r.change.after.zones
	not zone in {"z-a", "z-c"}
}

deny contains sprintf("ports %s", [r.address]) if {
	some r in machines
	given(r, "ports")
	some port in r.change.after.ports
	port > 100
}

deny contains sprintf("owner %s", [r.address]) if {
	some r in machines
	object.get(r.change.after, ["tags", "owner"], null) == null
}

deny contains sprintf("env %s", [r.address]) if {
	some r in machines
	not object.get(r.change.after, ["tags", "env"], null) in {"dev", "test"}
}

deny contains sprintf("tags-all %s", [r.address]) if {
	some r in machines
	not good_tags(r)
}

good_tags(r) if {
	r.change.after.tags_all["made-by"] == "terraform"
	count(r.change.after.tags_all.owner) >= 3
}

deny contains sprintf("weights %s", [r.address]) if {
	some r in machines
	given(r, "weights")
	some weight in r.change.after.weights
	weight < 2
}

deny contains sprintf("protocols %s", [r.address]) if {
	some r in machines
	count(r.change.after.rule) == 0
}

deny contains sprintf("protocols %s", [r.address]) if {
	some r in machines
	some rule in r.change.after.rule
	not rule.protocol == "tcp"
}

deny contains sprintf("allowed %s", [r.address]) if {
	some r in machines
	some rule in r.change.after.rule
	not rule.allow
}

deny contains sprintf("cidrs %s", [r.address]) if {
	some r in machines
	count(r.change.after.rule) == 0
}

deny contains sprintf("cidrs %s", [r.address]) if {
	some r in machines
	some rule in r.change.after.rule
	object.get(rule, "cidrs", null) == null
}

deny contains sprintf("open-ports %s", [r.address]) if {
	some r in machines
	some rule in r.change.after.rule
	rule.protocol == "tcp"
	count(rule.port) == 0
}

deny contains sprintf("open-ports %s", [r.address]) if {
	some r in machines
	some rule in r.change.after.rule
	rule.protocol == "tcp"
	some port in rule.port
	not port.number in {443, 80}
}

deny contains sprintf("tag %s", [r.address]) if {
	some r in machines
	some tag in r.change.after.tag
	tag.key == "a"
	not tag.value == "2"
}

deny contains sprintf("no-logging %s", [r.address]) if {
	some r in machines
	count(r.change.after.logging) > 0
}

deny contains sprintf("target %s", [r.address]) if {
	some r in machines
	some logging in r.change.after.logging
	not logging.target == "archive"
}

deny contains sprintf("filter %s", [r.address]) if {
	some r in machines
	not filtered(r)
}

filtered(r) if {
	some logging in r.change.after.logging
	count(logging.filter) > 0
	every filter in logging.filter { filter.prefix == "logs/" }
}

deny contains sprintf("timeouts %s", [r.address]) if {
	some r in machines
	not object.get(r.change.after, ["timeouts", "create"], null) == "10m"
}

deny contains sprintf("encrypted %s", [r.address]) if {
	some r in of("shapes_disk")
	r.change.after.encrypted == false
}

deny contains sprintf("new-labels %s", [r.address]) if {
	some r in input.resource_changes
	r.type == "shapes_label"
	r.change.actions == ["create"]
}

deny contains sprintf("nothing-goes %s", [r.address]) if {
	some r in input.resource_changes
	"delete" in r.change.actions
}

deny contains sprintf("documents %s", [r.address]) if {
	some r in machines
	given(r, "policy")
	some statement in json.unmarshal(r.change.after.policy).Statement
	not statement.Effect == "Allow"
}

deny contains sprintf("ratio %s", [r.address]) if {
	some r in machines
	given(r, "ratio")
	r.change.after.ratio > 0.05
}

deny contains sprintf("by-kind %s", [r.address]) if {
	some r in machines
	not r.change.after.size in sizes(object.get(r.change.after, "kind", null))
}

sizes(kind) := {8} if kind == "large"

sizes(kind) := {8, 2} if kind != "large"

deny contains sprintf("region %s", [r.address]) if {
	some r in machines
	object.get(r.change.after, "region", null) in {null, "south"}
}

deny contains sprintf("groups %s", [r.address]) if {
	some r in machines
	not "admins" in r.change.after.groups
}

deny contains sprintf("zone %s", [r.address]) if {
	some r in sources
	not object.get(r, "name_of", null) == "z-dev"
}

# Data sources that were read are no changes.
sources contains {"address": r.address, "name_of": object.get(r.change.after, "name", null)} if {
	some r in input.resource_changes
	r.type == "shapes_zone"
}

sources contains {"address": r.address, "name_of": r.values.name} if {
	some r in input.prior_state.values.root_module.resources
	r.type == "shapes_zone"
}

deny contains sprintf("input %s", [r.address]) if {
	some r in of("terraform_data")
	not r.change.after.input in {"block", "bucket"}
}
