//! What the plugin answers, without a real tflint.

use std::collections::{BTreeSet, HashMap};

use tflint_ruleset::{
    guarded,
    names::REPORTED,
    wire::{EmitIssue, Empty, GlobalConfig, Position, RuleSwitch, Severity, Texts},
};

use crate::{
    fake_host::{FakeHost, RunnerFacts, content, run},
    missing::trials,
};

trials![
    says_who_it_is,
    tells_rule_message_and_range,
    runs_the_rules_that_are_on,
    says_nothing_of_called_modules_and_of_no_files,
    replaces_its_state_and_reads_what_the_host_has,
    takes_modules_of_any_size,
    refuses_configuration_with_its_place,
    options_of_rules_count,
    a_broken_terraschema_configuration_is_an_error,
    what_others_wrote_acts_on_no_terminal,
    a_panic_becomes_a_message,
];

const MODULE: &str = "variable \"a\" {\n  type = number\n}\n";
const STALE: &str = "terraschema_stale_schema";
const MISSING: &str = "terraschema_missing_schema";
const INPUT: &str = "terraschema_invalid_input";

fn names(issues: &[EmitIssue]) -> Vec<&str> {
    issues.iter().map(|it| it.rule.as_ref().unwrap().name.as_str()).collect()
}

fn says_who_it_is() {
    run(async {
        let mut host = FakeHost::new().await;
        let fields: Vec<&str> = host.handshake.trim_end().split('|').collect();
        assert_eq!([fields[0], fields[1], fields[2], fields[4]], ["1", "11", "unix", "grpc"]);
        assert_eq!(host.ask("/proto.RuleSet/GetName").await, "terraschema");
        assert_eq!(host.ask("/proto.RuleSet/GetVersion").await, env!("CARGO_PKG_VERSION"));
        assert_eq!(host.ask("/proto.RuleSet/GetVersionConstraint").await, ">= 0.46");
        assert_eq!(host.ask("/proto.RuleSet/GetSDKVersion").await, "0.25.0");
        let rules: Texts =
            host.channel.call("/proto.RuleSet/GetRuleNames", Empty {}).await.unwrap();
        let reported: BTreeSet<&str> = REPORTED.iter().map(|it| it.0).collect();
        assert!(rules.values.iter().eq(reported), "{rules:?}");
        assert!(rules.values.iter().all(|it| it.starts_with("terraschema_")), "{rules:?}");
        let unknown = host.channel.call::<_, Empty>("/proto.RuleSet/GetTea", Empty {}).await;
        assert_eq!(unknown.unwrap_err().code(), tonic::Code::Unimplemented);
    });
}

fn tells_rule_message_and_range() {
    run(async {
        let mut host = FakeHost::new().await;
        host.apply_global(GlobalConfig::default()).await;
        let source = "\u{feff}/* 👩‍👩‍👧 */ variable \"a\" {\r\n  type = number\r\n}\r\n";
        let issues = host.check(RunnerFacts::files(&[("main.tf", source)])).await.unwrap();
        let [issue] = issues.as_slice() else { panic!("{issues:?}") };
        let rule = issue.rule.as_ref().unwrap();
        assert_eq!((rule.name.as_str(), rule.severity), (MISSING, Severity::Error.into()));
        assert!(rule.link.ends_with("/docs/rules/missing-schema.md"), "{}", rule.link);
        assert!(issue.message.starts_with("The module has no schema"), "{}", issue.message);
        let range = issue.range.as_ref().unwrap();
        let byte = |text: &str| i64::try_from(source.find(text).unwrap()).unwrap();
        assert_eq!(range.filename, "main.tf");
        let start = Position { line: 1, column: 9, byte: byte("variable") };
        let end = Position { line: 1, column: 21, byte: byte(" {") };
        assert_eq!((range.start, range.end), (Some(start), Some(end)));
    });
}

fn runs_the_rules_that_are_on() {
    run(async {
        let mut host = FakeHost::new().await;
        let told = RunnerFacts::files(&[("main.tf", MODULE)]);
        let switch = |rule: &str, enabled| {
            HashMap::from([(rule.to_owned(), RuleSwitch { name: rule.to_owned(), enabled })])
        };
        let off = GlobalConfig { disabled_by_default: true, ..GlobalConfig::default() };
        for (config, expected) in [
            (GlobalConfig::default(), vec![MISSING]),
            (off.clone(), vec![]),
            (GlobalConfig { rules: switch(MISSING, true), ..off.clone() }, vec![MISSING]),
            (GlobalConfig { rules: switch(MISSING, false), ..GlobalConfig::default() }, vec![]),
            (GlobalConfig { only: vec![STALE.to_owned()], ..GlobalConfig::default() }, vec![]),
            (
                GlobalConfig {
                    only: vec![MISSING.to_owned()],
                    rules: switch(MISSING, false),
                    ..off
                },
                vec![MISSING],
            ),
        ] {
            host.apply_global(config.clone()).await;
            let issues = host.check(told.clone()).await.unwrap();
            assert_eq!(names(&issues), expected, "{config:?}");
        }
    });
}

fn says_nothing_of_called_modules_and_of_no_files() {
    run(async {
        let mut host = FakeHost::new().await;
        host.apply_global(GlobalConfig::default()).await;
        let module_path = vec!["network".to_owned()];
        let called = RunnerFacts { module_path, ..RunnerFacts::files(&[("main.tf", MODULE)]) };
        assert_eq!(host.check(called).await.unwrap(), []);
        assert_eq!(host.check(RunnerFacts::default()).await.unwrap(), []);
    });
}

fn replaces_its_state_and_reads_what_the_host_has() {
    run(async {
        let mut host = FakeHost::new().await;
        host.write("extra.tfvars", "a = \"x\"\n");
        host.only(&[INPUT]).await;
        let wrong = RunnerFacts::files(&[("main.tf", MODULE)]);
        // Only an editor has this text.
        let right = RunnerFacts::files(&[("main.tf", "variable \"a\" {\n  type = string\n}\n")]);
        for _ in 0..3 {
            host.apply(content("var_files", "[\"extra.tfvars\"]", ".tflint.hcl")).await.unwrap();
            assert_eq!(names(&host.check(wrong.clone()).await.unwrap()), [INPUT]);
            assert_eq!(host.check(right.clone()).await.unwrap(), []);
            host.apply(tflint_ruleset::wire::BodyContent::default()).await.unwrap();
            assert_eq!(host.check(wrong.clone()).await.unwrap(), []);
        }
    });
}

fn takes_modules_of_any_size() {
    run(async {
        let mut host = FakeHost::new().await;
        host.apply_global(GlobalConfig::default()).await;
        let source = "# filler\n".repeat(600_000) + MODULE;
        assert!(source.len() > 4 * 1024 * 1024);
        let issues = host.check(RunnerFacts::files(&[("main.tf", &source)])).await.unwrap();
        assert_eq!(names(&issues), [MISSING]);
        let start = issues[0].range.as_ref().unwrap().start.unwrap();
        assert_eq!((start.line, start.byte), (600_001, 5_400_000));
    });
}

fn refuses_configuration_with_its_place() {
    run(async {
        let mut host = FakeHost::new().await;
        for (source, file, expected) in [
            ("\"a\"", ".tflint.hcl", "must be a list of strings"),
            ("[\"a\", null]", ".tflint.hcl", "must be a list of strings"),
            ("[var.a]", ".tflint.hcl", "Variables not allowed"),
            ("[upper(\"a\")]", ".tflint.hcl", "Function calls not allowed"),
            ("{}", ".tflint.json", "must be a list of strings"),
        ] {
            let error = host.apply(content("var_files", source, file)).await.unwrap_err();
            let message = error.message();
            assert!(message.starts_with(&format!("{file}:3:15: \"var_files\": ")), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        for (source, file) in [("[\"a\"]", ".tflint.hcl"), ("[\"a\"]", ".tflint.json")] {
            host.apply(content("var_files", source, file)).await.unwrap();
        }
        host.only(&[INPUT]).await;
        let error = host.check(RunnerFacts::files(&[("main.tf", MODULE)])).await.unwrap_err();
        assert_eq!(error.message(), "var_files: the file a does not exist");
    });
}

fn options_of_rules_count() {
    run(async {
        let mut host = FakeHost::new().await;
        host.write("terraform.tfvars", "");
        host.only(&[INPUT]).await;
        let mut told = RunnerFacts::files(&[("main.tf", MODULE)]);
        assert_eq!(names(&host.check(told.clone()).await.unwrap()), [INPUT]);
        let rule = |source| content("missing_variables", source, ".tflint.hcl");
        told.rules.insert(INPUT.to_owned(), rule("false"));
        assert_eq!(host.check(told.clone()).await.unwrap(), []);
        told.rules.insert(INPUT.to_owned(), rule("[]"));
        let error = host.check(told).await.unwrap_err();
        assert_eq!(
            error.message(),
            ".tflint.hcl:3:15: \"missing_variables\": it must be true or false"
        );
    });
}

fn a_broken_terraschema_configuration_is_an_error() {
    run(async {
        let mut host = FakeHost::new().await;
        host.write(".terraschema.hcl", "tea = 1\n");
        host.apply_global(GlobalConfig::default()).await;
        let error = host.check(RunnerFacts::files(&[("main.tf", MODULE)])).await.unwrap_err();
        assert!(error.message().starts_with(".terraschema.hcl:1:1: "), "{}", error.message());
    });
}

fn what_others_wrote_acts_on_no_terminal() {
    run(async {
        let mut host = FakeHost::new().await;
        host.apply_global(GlobalConfig::default()).await;
        let source = "variable \"a\" {\n  validation {\n    condition = var.a == 1\n    \
            error_message = \"A\x1b[2J\u{202e}\\n::error::b.\"\n  }\n  default = 2\n}\n";
        let issues = host.check(RunnerFacts::files(&[("main.tf", source)])).await.unwrap();
        let messages: Vec<&str> = issues.iter().map(|it| it.message.as_str()).collect();
        let all = messages.join("\n");
        assert!(all.contains("A\\u{1b}[2J\\u{202e}\n\\u{3a}:error::b."), "{all}");
        assert!(!all.contains(['\x1b', '\u{202e}']), "{all}");
        host.write(".terraschema.hcl", "\u{202e} = 1\nrule \"\x1b[2J\" {}\n");
        let error = host.check(RunnerFacts::files(&[("main.tf", MODULE)])).await.unwrap_err();
        assert!(!error.message().contains(['\x1b', '\u{202e}']), "{}", error.message());
    });
}

fn a_panic_becomes_a_message() {
    run(async {
        let error = guarded(|| -> u8 { panic!("no {}", "tea") }).await.unwrap_err();
        assert_eq!(error, "terraschema failed, which is a bug: no tea");
        assert_eq!(guarded(|| 1).await, Ok(1));
    });
}
