//! What variables and their rules alone say about a call's arguments.

use std::collections::BTreeMap;

use release::Release;
use system::DeniedSystem;
use testkit::modules::module;
use tf_eval::{Budget, Meter};
use tf_value::Value;
use verdict::{ArgumentsVerdict, JudgeSetting, judge_arguments};

/// The answer to `v = "a"`, in a word with its reason.
fn answer(rules: &[&str], meter: &Meter) -> (&'static str, String) {
    let rules = rules.iter().map(|it| {
        format!("  validation {{\n    condition = {it}\n    error_message = \"No.\"\n  }}\n")
    });
    let module = module(&format!("variable \"v\" {{\n{}}}\n", rules.collect::<String>()));
    let setting = JudgeSetting::new(&DeniedSystem, ".".as_ref(), Release::NEWEST, meter);
    let arguments = BTreeMap::from([("v".into(), Value::string("a"))]);
    match judge_arguments(&module, &arguments, setting) {
        ArgumentsVerdict::Accepts(values) => ("accepts", format!("{:?}", values["v"].as_str())),
        ArgumentsVerdict::Refuses(errors) => ("refuses", errors[0].message()),
        ArgumentsVerdict::Undecided(why) => ("undecided", why),
    }
}

#[test]
fn a_rule_that_is_not_known_leaves_the_answer_open() {
    let meter = Meter::default();
    assert_eq!(answer(&["var.v == \"a\""], &meter).0, "accepts");
    assert_eq!(answer(&["var.v == \"b\""], &meter), ("refuses", "No.".to_owned()));
    // Terraform accepts what it does not know either, but the next plan may refuse it.
    let (word, why) = answer(&["uuid() != var.v", "var.v == \"a\""], &meter);
    assert!(word == "undecided" && why.contains("a rule of \"v\""), "{word}: {why}");
    // A certain error outweighs it.
    assert_eq!(answer(&["uuid() != var.v", "var.v == \"b\""], &meter).0, "refuses");
}

#[test]
fn a_rule_that_takes_too_long_refuses_nothing() {
    let long = "length([for i in range(1000): [for k in range(1000): var.v == \"a\"]]) == 0";
    let meter = Meter::from(Budget(10_000));
    let (word, why) = answer(&[long], &meter);
    assert_eq!(word, "undecided", "{why}");
    assert_eq!(answer(&[long, "var.v == \"b\""], &meter), ("refuses", "No.".to_owned()));
}
