//! The report that every format renders.

use diagnostics::{
    Diagnostic, Edit, Finding, Fix, LevelReason, Omission, Role, Safety, Sources, Span, lints,
};
use report::{ModuleReport, NotJudged, Report, Status, Translations};

const VARIABLES: &str = "variable \"name\" {\n  type = string\n  validation {\n    condition     = length(var.name) > 2\n    error_message = \"Too short.\"\n  }\n}\n";
const VALUES: &str = "{\n  \"nam\": \"é👩‍👩‍👧\",\n  \"name\": \"ab\"\n}\n";

/// Every member that a finding can have is set somewhere; texts hold what formats must escape.
pub fn sample() -> Report {
    let mut sources = Sources::new();
    let tf = sources.add("modules/a b/variables.tf", VARIABLES.as_bytes());
    let values = sources.add("modules/a b/prod.tfvars.json", VALUES.as_bytes());
    let span = |file, text: &str, needle: &str| {
        let at = text.find(needle).unwrap();
        Span::new(file, at, at + needle.len())
    };
    let failed = Diagnostic::new(&lints::FAILED_VALIDATION, "Invalid value for variable")
        .detail("Too short.\n100% <sure>, a|b: `length(var.name)` is 2")
        .at_with(Role::Value, span(values, VALUES, "\"ab\""), "2 characters")
        .at(Role::Rule, span(tf, VARIABLES, "length(var.name) > 2"))
        .variable("name")
        .validation(0)
        .path("");
    let undeclared = Diagnostic::new(&lints::UNDECLARED_VARIABLE, "No variable is named \"nam\"")
        .at(Role::Value, span(values, VALUES, "\"nam\""))
        .help("did you mean \"name\"?")
        .fix(Fix {
            description: "Rename it to \"name\"".into(),
            edits: vec![Edit {
                span: span(values, VALUES, "\"nam\""),
                replacement: "\"name\"".into(),
                removes: None,
            }],
            safety: Safety::Suggestion,
        });
    let missing = Diagnostic::new(&lints::MISSING_SCHEMA, "The module has no schema")
        .because(LevelReason::OfDefaults);
    let mut called = Diagnostic::new(&lints::INVALID_COUNT, "Invalid count argument");
    called.address = "module.network.module.subnet".into();
    let called = called.detail("It is <null>.").at(Role::Declaration, span(tf, VARIABLES, "name"));
    let open =
        Diagnostic::new(&lints::UNDECIDED_VALIDATION, "Only a plan can tell whether it holds")
            .detail("It depends on <data.x.y>.")
            .at(Role::Rule, span(tf, VARIABLES, "length(var.name) > 2"))
            .variable("name")
            .validation(0);
    let open = Finding::new(&open, "modules/a b", &sources);
    let call = Omission::Call {
        address: "module.vpc".into(),
        reason: "its source \"a/vpc/aws\" is not here".into(),
        place: span(tf, VARIABLES, "type = string"),
    };
    let findings = vec![
        Finding::new(&undeclared, "modules/a b", &sources),
        Finding::new(&failed, "modules/a b", &sources),
        Finding::new(&called, "modules/a b", &sources),
        Finding::new(&missing, "modules/b", &sources),
    ];
    let mut report = Report { findings, ..Report::default() };
    // As it is written: only the run that plans an edit knows the text that it planned it for.
    let fixes = report.findings.iter_mut().filter_map(|it| it.fix.as_mut());
    fixes.flat_map(|it| &mut it.edits).for_each(|it| it.text = None);
    report.checked_mut().unwrap().modules = vec![
        ModuleReport {
            path: "modules/b".into(),
            schema: "modules/b/schema.json".into(),
            status: Status::Written,
            translations: Translations::default(),
            diff: None,
        },
        ModuleReport {
            path: "modules/a b".into(),
            schema: "modules/a b/schema.json".into(),
            status: Status::Stale,
            translations: Translations { exact: 1, necessary: 0, untranslated: 2 },
            diff: Some("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+```\n".into()),
        },
    ];
    report.not_judged = vec![
        NotJudged::new(&Omission::Resources(12), "modules/a b", &sources),
        NotJudged::new(&call, "modules/a b", &sources),
        NotJudged::from_finding(open),
    ];
    report.failures = vec!["modules/c/schema.json: Is a directory".into()];
    report.sort();
    report
}
