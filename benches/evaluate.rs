//! Evaluations a second for the ten commonest shapes of conditions, compared with Terraform where
//! it has the same: `cargo bench --bench evaluate`.
#![allow(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used
)] // A bench, not the tool.

use std::{
    collections::BTreeMap,
    fs,
    hint::black_box,
    process::Command,
    time::{Duration, Instant},
};

use diagnostics::FileId;
use hcl::{Expr, parse_expression};
use release::Release;
use smol_str::SmolStr;
use system::MemorySystem;
use tf_eval::{EvalHost, NoData, Scope, evaluate};
use tf_value::{Value, convert};

/// The variables: name, type, value.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("name", "string", r#""web-frontend""#),
    ("size", "number", "5"),
    ("kind", "string", r#""STANDARD""#),
    ("zones", "list(string)", r#"["eu-west-1a", "eu-west-1b", "eu-west-1c"]"#),
    (
        "rules",
        "list(object({ port = number, ranges = list(string) }))",
        r#"[{ port = 80, ranges = ["10.0.0.0/8"] }, { port = 443, ranges = ["10.1.0.0/16"] }]"#,
    ),
];

/// By how often they occur among the conditions of public modules.
const SHAPES: &[(&str, &str)] = &[
    ("alltrue over for", r#"alltrue([for it in var.zones : can(regex("^[a-z0-9-]+$", it))])"#),
    ("contains", r#"contains(["BASIC", "STANDARD", "PREMIUM"], var.kind)"#),
    ("joined comparisons", "var.size >= 1 && var.size <= 10"),
    ("null guard", r#"var.kind == null || contains(["BASIC", "STANDARD"], var.kind)"#),
    (
        "alltrue over nested for",
        r"alltrue(flatten([for it in var.rules : [for r in it.ranges : can(cidrhost(r, 0))]]))",
    ),
    ("one comparison", "var.size > 0"),
    ("conditional", "var.name == null ? true : length(var.name) <= 24"),
    ("can regex", r#"can(regex("^[a-z][a-z0-9-]{1,22}[a-z0-9]$", var.name))"#),
    ("attribute of an iterator", "alltrue([for it in var.rules : it.port > 0 && it.port < 65536])"),
    ("distinct", "length(var.zones) == length(distinct(var.zones))"),
];

const ROUND: Duration = Duration::from_millis(500);
/// How many copies of a condition one Terraform evaluates.
const COPIES: usize = 4_000;

fn main() {
    let terraform = terraform_seconds("true", 1).map(|_| "evaluations in Terraform a second");
    println!("| condition | evaluations a second | with parsing | {} |", terraform.unwrap_or(""));
    println!("|---|---:|---:|---:|");
    let system = MemorySystem::new();
    let host = EvalHost::new(&system, "/", Release::V1_11);
    let constant = |text: &str| {
        let scope = Scope { data: &NoData, host: &host, release: Release::V1_11 };
        evaluate(&parse(text), &scope).0
    };
    let variables: BTreeMap<SmolStr, Value> = VARIABLES
        .iter()
        .map(|(name, ty, value)| ((*name).into(), typed(&constant(value), ty)))
        .collect();
    let scope = Scope { data: &variables, host: &host, release: Release::V1_11 };
    for (name, text) in SHAPES {
        let expr = parse(text);
        assert_eq!(evaluate(&expr, &scope).0.as_bool(), Some(true), "{text}");
        let evaluated = rate(|| {
            host.begin(None);
            evaluate(&expr, &scope)
        });
        let parsed = rate(|| {
            host.begin(None);
            evaluate(&parse(text), &scope)
        });
        let terraform = terraform_rate(text).map_or(String::new(), |it| format!("{it:.0}"));
        println!(
            "| {name}: `{}` | {evaluated:.0} | {parsed:.0} | {terraform} |",
            text.replace('|', "\\|")
        );
    }
}

fn parse(text: &str) -> Expr {
    let (expr, errors) = parse_expression(FileId::default(), text.as_bytes(), 0);
    assert_eq!(errors, [], "{text}");
    expr
}

fn typed(value: &Value, ty: &str) -> Value {
    let constant = |_: &Expr| unreachable!("types without defaults");
    let (constraint, errors) = tf_value::typeexpr::parse_type(&parse(ty), &constant);
    assert_eq!(errors, [], "{ty}");
    convert(value, &constraint.ty).unwrap()
}

fn rate<T>(mut run: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    let mut count = 0_u32;
    while start.elapsed() < ROUND {
        for _ in 0..100 {
            black_box(run());
        }
        count += 100;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

/// A plan evaluates everything twice, in its static pass and with values; that, the parsing and
/// nothing else is between many copies and one.
fn terraform_rate(text: &str) -> Option<f64> {
    let many = terraform_seconds(text, COPIES)?;
    let one = terraform_seconds(text, 1)?;
    Some(COPIES as f64 * 2.0 / (many - one))
}

fn terraform_seconds(text: &str, copies: usize) -> Option<f64> {
    let directory = tempfile::tempdir().ok()?;
    let mut module = String::new();
    for (name, ty, value) in VARIABLES {
        module += &format!("variable \"{name}\" {{\n  type    = {ty}\n  default = {value}\n}}\n");
    }
    module +=
        &format!("locals {{\n  all = [\n{}  ]\n}}\n", format!("    {text},\n").repeat(copies));
    fs::write(directory.path().join("main.tf"), module).unwrap();
    let start = Instant::now();
    let output = Command::new("terraform")
        .args(["plan", "-input=false", "-lock=false", "-refresh=false"])
        .current_dir(directory.path())
        .env("CHECKPOINT_DISABLE", "1")
        .output()
        .ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(start.elapsed().as_secs_f64())
}
