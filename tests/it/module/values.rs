//! Values of variables and locals.

use std::collections::BTreeMap;

use module::{Module, Values};
use release::Release;
use system::{DeniedSystem, System};
use tf_eval::{Data, EvalHost, Namespace};
use tf_value::{Marks, Type, Value};

use super::load;

const LOCALS: &str = r#"
variable "a" {
  type      = string
  sensitive = true
  validation {
    condition     = var.a != var.b
    error_message = local.y
  }
}
variable "b" {
  type = number
}
locals {
  x = "${local.y}!"
  y = upper(local.z)
  z = "b is ${var.b}"
  s = "${var.a}"
  bad = [][0]
}
"#;

fn values<'a>(module: &'a Module, host: &'a EvalHost<'a>, given: &[(&str, Value)]) -> Values<'a> {
    let given: BTreeMap<_, _> = given.iter().map(|(k, v)| ((*k).into(), v.clone())).collect();
    Values::new(module, given, Some("default"), host, Release::V1_11)
}

#[test]
fn locals_are_evaluated_when_needed() {
    let (module, _) = load(&[("a.tf", LOCALS)]);
    let system: &dyn System = &DeniedSystem;
    let host = EvalHost::new(system, ".", Release::V1_11);
    let values = values(&module, &host, &[("a", Value::string("q")), ("b", Value::int(7))]);
    assert_eq!(values.value(Namespace::Local, "x"), Some(Value::string("B IS 7!")));
    assert_eq!(values.value(Namespace::Local, "none"), None);
    let secret = values.value(Namespace::Local, "s").unwrap();
    assert_eq!(secret, Value::string("q").with_marks(Marks::SENSITIVE | Marks::SECRET));
    let rules = values.in_rules_of("a");
    let own = Value::string("q").with_marks(Marks::SECRET);
    assert_eq!(rules.value(Namespace::Variable, "a"), Some(own));
    let problems = values.check_locals();
    assert_eq!(
        problems.iter().map(|it| it.summary.as_str()).collect::<Vec<_>>(),
        ["Invalid index"]
    );
}

#[test]
fn a_variable_that_is_not_given_is_a_typed_unknown() {
    let (module, _) = load(&[("a.tf", LOCALS)]);
    let host = EvalHost::new(&DeniedSystem, ".", Release::V1_11);
    let values = values(&module, &host, &[]);
    assert_eq!(values.value(Namespace::Variable, "b"), Some(Value::unknown(Type::Number)));
}

#[test]
fn a_cycle_of_locals_is_unknown() {
    let (module, _) = load(&[(
        "a.tf",
        "locals {
  a = local.b
  b = local.a
}
",
    )]);
    let host = EvalHost::new(&DeniedSystem, ".", Release::V1_11);
    let values = values(&module, &host, &[]);
    let unknown = Value::unknown(Type::Dynamic);
    assert_eq!(values.value(Namespace::Local, "a"), Some(unknown));
}

#[test]
fn a_long_chain_of_locals_is_fine() {
    let links: Vec<String> =
        (0..5_000).map(|it| format!("  l{it} = local.l{}\n", it + 1)).collect();
    let text = format!("locals {{\n{}  l5000 = 1\n}}\n", links.concat());
    let (module, _) = load(&[("a.tf", &text)]);
    let host = EvalHost::new(&DeniedSystem, ".", Release::V1_11);
    let values = values(&module, &host, &[]);
    assert!(values.value(Namespace::Local, "l0").is_some_and(|it| it.is_known()));
}
