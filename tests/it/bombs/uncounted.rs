//! Work that no budget counts grows as its input does.

use check::CheckRequest;
use diagnostics::lints;
use system::MemorySystem;

use crate::scaling::assert_linear;

fn check(text: &str) {
    let system = MemorySystem::new().working_in("/m").file("/m/main.tf", text);
    std::hint::black_box(check::run(&CheckRequest::default(), &system).unwrap());
}

#[test]
fn many_errors_of_one_block() {
    let wrong = "  x {\n    a = var.none\n  }\n";
    assert_linear(2_000, |parts| {
        check(&format!("resource \"a\" \"b\" {{\n{}}}\n", wrong.repeat(parts)));
    });
}

/// Each operand of a chain is explained once, not once more with each beginning of the chain.
#[test]
fn many_operands_of_a_rule_that_fails() {
    assert_linear(400, |parts| {
        let operands: Vec<String> = (0..parts).map(|it| format!("var.x == \"a{it}\"")).collect();
        let rule = format!(
            "variable \"x\" {{\n  type    = string\n  default = \"b\"\n  validation {{\n    \
             condition     = {}\n    error_message = \"Bad.\"\n  }}\n}}\n",
            operands.join(" || ")
        );
        check(&rule);
    });
}

#[test]
fn many_elements_that_are_not_known() {
    assert_linear(1_000, |parts| {
        check(&format!(
            "resource \"terraform_data\" \"r\" {{\n  count = {parts}\n}}\noutput \"o\" {{\n  \
             value = toset([for it in terraform_data.r : {{ a = it.id }}])\n}}\n"
        ));
    });
}

#[test]
fn many_elements_with_one_text() {
    assert_linear(500, |parts| {
        check(&format!(
            "output \"o\" {{\n  value = toset([for it in range({}) : {{ a = 10000000000 + it / 100000 }}])\n}}\n",
            parts.min(1024)
        ));
    });
}

/// Each instance of a caller finds its own instances among those of all callers.
#[test]
fn many_instances_of_modules_in_modules() {
    let run = |count: usize| {
        let call = |inside: &str| {
            format!(
                "module \"m\" {{\n  source = \"./m\"\n  count  = {count}\n}}\noutput \"o\" {{\n  value = {inside}\n}}\n"
            )
        };
        let system = MemorySystem::new().working_in("/m").file("/m/main.tf", call("module.m"));
        let system = system.file("/m/m/main.tf", call("module.m"));
        let system = system.file("/m/m/m/main.tf", call("module.m[0].o"));
        let system = system.file("/m/m/m/m/main.tf", "output \"o\" {\n  value = 1\n}\n");
        check::run(&CheckRequest::default(), &system).unwrap()
    };
    assert_linear(1_000, |parts| {
        let count = (1..100).find(|it: &usize| it.pow(3) >= parts).unwrap();
        assert!(run(count).findings.iter().all(|it| it.rule != lints::BUDGET_EXCEEDED));
    });
    // The memory of a million would be gigabytes.
    let report = run(100);
    assert!(report.findings.iter().any(|it| it.rule == lints::BUDGET_EXCEEDED));
}

/// `init` looks for what a values file leaves to the others of its directory.
#[test]
fn many_values_files_of_one_module() {
    for values in ["x = 1\n", "x = 1\ny@ = 2\n", "y@ = 2\n"] {
        assert_linear(400, |parts| {
            let module = "variable \"x\" {\n  type = string\n}\n";
            let mut system = MemorySystem::new().working_in("/m").file("/m/main.tf", module);
            for it in 0..parts {
                let text = values.replace('@', &it.to_string());
                system = system.file(format!("/m/f{it}.tfvars"), text);
            }
            std::hint::black_box(check::survey(&system).unwrap());
        });
    }
}

#[test]
fn many_rules_of_one_variable() {
    assert_linear(1_200, |parts| {
        let rule = |at: usize| {
            format!(
                "  validation {{\n    condition     = var.x != {at}\n    error_message = \"Bad.\"\n  }}\n"
            )
        };
        let rules: String = (0..parts).map(rule).collect();
        check(&format!("variable \"x\" {{\n  type = number\n{rules}}}\n"));
    });
}

/// Each of them once had as many ways to a file as a tree has leaves.
#[test]
fn patterns_of_files_are_matched_once() {
    let patterns = [
        "**/".repeat(40) + "*.txt",
        "**/".repeat(40) + "**",
        "*a".repeat(60) + "*.txt",
        "{a,a}".repeat(100) + ".txt",
        "{*a,a*}".repeat(30) + "*.txt",
    ];
    for release in ["1.11.4", "1.15.9"] {
        for pattern in &patterns {
            let text = format!(
                "terraform {{\n  required_version = \"{release}\"\n}}\noutput \"o\" {{\n  \
                 value = fileset(\".\", \"{pattern}\")\n}}\n"
            );
            let system = MemorySystem::new().working_in("/m").file("/m/main.tf", text.as_str());
            let system = system.file(format!("/m/{}.tx", "a".repeat(200)), "");
            let system = system.file(format!("/m/{}x", "a/".repeat(20)), "");
            let report = check::run(&CheckRequest::default(), &system).unwrap();
            assert!(report.findings.is_empty(), "{pattern}: {:#?}", report.findings);
        }
    }
}
