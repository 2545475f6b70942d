//! Judging a large plan, compared with parsing the same bytes: `cargo bench --bench policy [-- DIR]`. The plan and the
//! rules are written into DIR, or into a temporary directory. Each step is a process of its own, in turns. Where
//! `TERRASCHEMA_CONFTEST` names a conftest, it judges the same plan by the same rules, in Rego.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::{fmt::Write as _, fs, path::Path, process::Command, sync::Arc};

use policy::{Asked, GivenContexts, plan};
use serde_json::{Value, json};
use tf_eval::Meter;

/// As the command allocates.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RESOURCES: usize = 10_000;
const RULES: usize = 100;
const TYPES: usize = 50;
const RUNS: usize = 5;
/// Brings the plan to 30 MB.
const NOTES: &str =
    "Nobody asks for this, but a plan has it: descriptions, scripts of machines, policies.";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["parse", dir] => own_cost(|| parse(Path::new(dir))),
        ["judge", dir] => own_cost(|| judge(Path::new(dir), "a.rules.hcl")),
        ["policies", dir] => own_cost(|| judge(Path::new(dir), "a.policy.hcl")),
        [dir] => measure(Path::new(dir)),
        _ => measure(tempfile::tempdir().unwrap().path()),
    }
}

fn measure(dir: &Path) {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("plan.json"), plan_text()).unwrap();
    fs::write(dir.join("a.rules.hcl"), rules_text()).unwrap();
    fs::write(dir.join("a.policy.hcl"), policies_text()).unwrap();
    fs::create_dir_all(dir.join("rego")).unwrap();
    fs::write(dir.join("rego/a.rego"), rego_text()).unwrap();
    let size = fs::metadata(dir.join("plan.json")).unwrap().len();
    eprintln!("{RESOURCES} resources, {RULES} rules, {:.1} MB", size as f64 / 1e6);
    for _ in 0..RUNS {
        for step in ["parse", "judge", "policies"] {
            let program = std::env::current_exe().unwrap();
            let output = Command::new(program).arg(step).arg(dir).output().unwrap();
            eprint!("{step}: {}", String::from_utf8_lossy(&output.stdout));
        }
        if let Some(program) = std::env::var_os("TERRASCHEMA_CONFTEST") {
            eprintln!("conftest: {}", conftest(Path::new(&program), dir));
        }
    }
}

/// What conftest took, as `/usr/bin/time` says, and how many failures it found.
fn conftest(program: &Path, dir: &Path) -> String {
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "%U+%S s of a core, %M kB"]).arg(program);
    command.args(["test", "--output", "json", "--policy", "rego", "plan.json"]).current_dir(dir);
    let output = command.output().unwrap();
    let files: Value = serde_json::from_slice(&output.stdout).unwrap();
    let count = files[0]["failures"].as_array().map_or(0, Vec::len);
    let took = String::from_utf8_lossy(&output.stderr);
    format!("{}, {count}", took.lines().last().unwrap_or("?"))
}

/// Into a `serde_json::Value`, whole.
fn parse(dir: &Path) -> usize {
    let bytes = fs::read(dir.join("plan.json")).unwrap();
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    value["resource_changes"].as_array().unwrap().len()
}

/// As `terraschema policy --plan`, without printing, by a file of rules or of HashiCorp's policies.
fn judge(dir: &Path, file: &str) -> usize {
    let rules: Arc<[u8]> = fs::read(dir.join(file)).unwrap().into();
    let meter = Meter::default();
    let (policy, problems) =
        policy::read(vec![(file.to_owned(), rules)], &GivenContexts::default(), &meter);
    assert!(problems.is_empty(), "{problems:?}");
    let bytes = fs::read(dir.join("plan.json")).unwrap();
    let asked = Asked::new(&policy);
    let plan = plan::read(&bytes, &asked).unwrap();
    drop(bytes);
    let judged = policy::judge(&policy, &plan, &meter);
    assert_eq!(judged.objects, RESOURCES);
    judged.findings.len()
}

/// Runs a step, and prints what this process took.
fn own_cost(step: impl FnOnce() -> usize) {
    let count = step();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap_or("?").trim();
    let scheduled = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = scheduled.split(' ').next().and_then(|it| it.parse::<f64>().ok());
    println!("{:.3} s of a core, {peak}, {count}", nanoseconds.unwrap_or(0.0) / 1e9);
}

fn plan_text() -> String {
    let (mut changes, mut planned, mut configured) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..RESOURCES {
        let (ty, name) = (format!("cloud_kind_{}", index % TYPES), format!("r{index}"));
        let address = format!("{ty}.{name}");
        let mut after = json!({
            "name": format!("fw-{name}"), "location": "us-west1", "enable_logging": true,
            "description": "What everybody may reach, and from where", "priority": index % 1000,
            "labels": {"owner": "network", "env": if index % 100 == 0 { "test" } else { "prod" }},
            "allow": [{"protocol": "tcp", "ports": ["80", "443"]}, {"protocol": "icmp", "ports": []}],
            "source_ranges": ["10.0.0.0/8", "192.168.0.0/16"], "disabled": null, "direction": null,
            "policy": "{\"Statement\": [{\"Effect\": \"Deny\", \"Action\": \"*\"}]}",
            "timeouts": {"create": "10m", "delete": null}, "version": "1.29.3-gke.100",
            "size": "10gb", "tags": ["a", "b", "c"], "network": "default", "project": "shop-prod",
            "notes": NOTES.repeat(5),
        });
        // As Terraform writes what is of a type: by name.
        after.sort_all_objects();
        let unknown = json!({"id": true, "self_link": true, "labels": {}, "allow": [{}, {}]});
        changes.push(json!({
            "address": address, "mode": "managed", "type": ty, "name": name,
            "provider_name": "registry.terraform.io/example/cloud",
            "change": {"actions": ["create"], "before": null, "after": after,
                "after_unknown": unknown, "before_sensitive": false,
                "after_sensitive": {"labels": {}, "allow": [{}, {}], "tags": [false, false, false]}},
        }));
        planned.push(json!({
            "address": address, "mode": "managed", "type": ty, "name": name, "schema_version": 1,
            "provider_name": "registry.terraform.io/example/cloud", "values": after,
            "sensitive_values": {"labels": {}, "allow": [{}, {}]},
        }));
        configured.push(json!({
            "address": address, "mode": "managed", "type": ty, "name": name,
            "provider_config_key": "cloud", "schema_version": 1,
            "expressions": {"name": {"constant_value": format!("fw-{name}")},
                "location": {"references": ["var.location"]},
                "labels": {"references": ["local.labels"]},
                "allow": [{"protocol": {"constant_value": "tcp"}}, {"protocol": {"constant_value": "icmp"}}],
                "network": {"references": ["cloud_network.main.name", "cloud_network.main"]}},
        }));
    }
    json!({
        "format_version": "1.2", "terraform_version": "1.11.4",
        "planned_values": {"root_module": {"resources": planned}},
        "resource_changes": changes,
        "configuration": {"root_module": {"resources": configured}},
    })
    .to_string()
}

fn rules_text() -> String {
    let mut text = String::new();
    for index in 0..RULES {
        let ty = index % TYPES;
        let arguments = match index / TYPES {
            0 => {
                "enable_logging = true\n    description = required\n    disabled = optional(false)\n    \
                 labels = { owner = string({ min_length = 3 }), env = any(\"dev\", \"prod\") }\n    \
                 source_ranges = list(cidr, { min_items = 1 })\n    \
                 allow {\n      protocol = any(\"tcp\", \"icmp\")\n    }"
            }
            _ => {
                "location = any(\"us-west1\", \"us-east1\")\n    priority = number({ max = 65535 })\n    \
                 name = all(length(self) < 30, strcontains(self, \"fw\"))\n    \
                 version = version(\"~> 1.29\")\n    size = byte_size({ max = \"1tb\" })"
            }
        };
        _ = writeln!(
            text,
            "rule \"r-{index}\" {{\n  resource \"cloud_kind_{ty}\" {{\n    {arguments}\n  }}\n}}"
        );
    }
    text
}

/// The same rules as HashiCorp's policies.
fn policies_text() -> String {
    let mut text = String::new();
    for index in 0..RULES {
        let ty = index % TYPES;
        let conditions = match index / TYPES {
            0 => {
                "  locals {\n    bad = [for it in attrs.allow : it if !core::contains([\"tcp\", \"icmp\"], it.protocol)]\n  }\n  \
                 enforce {\n    condition = attrs.enable_logging == true && attrs.description != null && attrs.disabled != true\n  }\n  \
                 enforce {\n    condition = core::length(attrs.labels.owner) >= 3 && core::contains([\"dev\", \"prod\"], attrs.labels.env)\n  }\n  \
                 enforce {\n    condition = core::alltrue([for it in attrs.source_ranges : core::can(core::cidrhost(it, 0))])\n  }\n  \
                 enforce {\n    condition = core::length(attrs.allow) > 0 && core::length(local.bad) == 0\n  }"
            }
            _ => {
                "  enforce {\n    condition = core::contains([\"us-west1\", \"us-east1\"], attrs.location) && attrs.priority <= 65535\n  }\n  \
                 enforce {\n    condition = core::length(attrs.name) < 30 && core::contains_substring(attrs.name, \"fw\")\n  }\n  \
                 enforce {\n    condition = core::regex_match(attrs.version, \"^1[.](29|[3-9][0-9])[.]\") && core::regex_match(attrs.size, \"^[0-9]+gb$\")\n  }"
            }
        };
        _ = writeln!(
            text,
            "resource_policy \"cloud_kind_{ty}\" \"p-{index}\" {{\n{conditions}\n}}"
        );
    }
    text
}

/// The same rules: one for each of ours, and what they ask for in functions.
fn rego_text() -> String {
    let mut text = String::from(
        r#"package main

import rego.v1

good_0(it) if {
	it.enable_logging == true
	it.description != null
	it.disabled in {null, false}
	count(it.labels.owner) >= 3
	it.labels.env in {"dev", "prod"}
	count(it.source_ranges) >= 1
	every range in it.source_ranges { net.cidr_is_valid(range) }
	count(it.allow) >= 1
	every allow in it.allow { allow.protocol in {"tcp", "icmp"} }
}

good_1(it) if {
	it.location in {"us-west1", "us-east1"}
	it.priority <= 65535
	count(it.name) < 30
	contains(it.name, "fw")
	regex.match(`^1\.(29|[3-9][0-9])\.`, it.version)
	units.parse_bytes(it.size) <= 1099511627776
}
"#,
    );
    for index in 0..RULES {
        let (ty, shape) = (index % TYPES, index / TYPES);
        _ = writeln!(
            text,
            "\ndeny contains msg if {{\n\tsome r in input.resource_changes\n\tr.type == \"cloud_kind_{ty}\"\n\t\
             not good_{shape}(r.change.after)\n\tmsg := sprintf(\"r-{index} %s\", [r.address])\n}}"
        );
    }
    text
}
