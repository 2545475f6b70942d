//! `--terraform-version`, `--opentofu`, and what the configuration says about them.

use system::MemorySystem;
use terraschema::{Console, Exit};

/// An error before Terraform 1.12 and OpenTofu 1.10, true from then on.
const GUARDED: &str = r#"
variable "size" {
  type    = number
  default = null

  validation {
    condition     = var.size == null || var.size > 0
    error_message = "Too small."
  }
}
"#;

fn run(system: MemorySystem, arguments: &str) -> (Exit, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let all = ["terraschema"].into_iter().chain(arguments.split(' ')).map(Into::into).collect();
    let system = system.working_in("/m");
    let exit = terraschema::run(all, &system, &mut Console::to(&mut stdout, &mut stderr));
    (exit, String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

fn guarded() -> MemorySystem {
    MemorySystem::new().file("/m/main.tf", GUARDED)
}

#[test]
fn the_release_that_is_asked_for_judges() {
    for (flags, exit, judged_as) in [
        ("", Exit::Clean, "Terraform 1.15.9"),
        (" --terraform-version 1.11", Exit::Findings, "Terraform 1.11.4"),
        (" --terraform-version 1.11.0", Exit::Findings, "Terraform 1.11.4"),
        (" --terraform-version v1.12", Exit::Clean, "Terraform 1.12.2"),
        (" --opentofu", Exit::Clean, "OpenTofu 1.12.6"),
        (" --opentofu=true", Exit::Clean, "OpenTofu 1.12.6"),
        (" --opentofu=1.9", Exit::Findings, "OpenTofu 1.9.4"),
        (" --opentofu=false", Exit::Clean, "Terraform 1.15.9"),
    ] {
        let (code, output) = run(guarded(), &format!("validate{flags}"));
        assert_eq!(code, exit, "{flags}: {output}");
        assert!(output.contains(&format!("(judged as {judged_as})")), "{flags}: {output}");
    }
}

#[test]
fn what_is_no_release_is_an_error() {
    for (flags, expected) in [
        ("--terraform-version 2", "unknown release 2.x of Terraform; known are 1.5 to 1.15"),
        ("--terraform-version 99", "unknown release 99.x of Terraform"),
        ("--terraform-version x", "it is not a version such as 1.11"),
        ("--opentofu=x", "it is not a version such as 1.11"),
        ("--opentofu --terraform-version 1.9", "cannot be used with"),
    ] {
        for command in ["validate", "check", "eval", "generate"] {
            let (exit, output) = run(guarded(), &format!("{command} {flags}"));
            assert_eq!(exit, Exit::Failure, "{command} {flags}: {output}");
            assert!(output.contains(expected), "{command} {flags}: {output}");
        }
    }
}

#[test]
fn what_answers_for_another_release_is_told() {
    let (_, output) = run(guarded(), "validate --terraform-version 1.99");
    let newer =
        "note: Terraform 1.99.0 is not known; it is judged as 1.15.9, the newest known release\n";
    assert!(output.contains(newer), "{output}");
    let (_, output) = run(guarded(), "check --terraform-version 1.4");
    let older =
        "note: Terraform 1.4.0 is not known; it is judged as 1.5.7, the oldest known release\n";
    assert!(output.contains(older), "{output}");
    let (_, output) = run(guarded(), "validate --terraform-version 1.16");
    assert!(output.contains("note: Terraform 1.16.0-rc2 is a release candidate"), "{output}");
}

/// What was removed before 1.0 may be right there; an undeclared name and a wrong value never are.
#[test]
fn a_module_for_releases_before_1_0_is_judged_where_its_language_is_the_same() {
    let body = "variable \"size\" {\n  type = number\n}\nlocals {\n  a = map(\"k\", \"v\")\n  b = var.sise\n}\n\
        data \"terraform_remote_state\" \"x\" {\n  backend = \"local\"\n  config {\n    path = \"x\"\n  }\n}\n";
    let module = |version: &str, body: &str| {
        let header = format!("terraform {{\n  required_version = \"{version}\"\n}}\n");
        MemorySystem::new()
            .file("/m/main.tf", header + body)
            .file("/m/terraform.tfvars", "size = \"large\"\n")
    };
    for version in ["~> 0.12.31", "= 0.11.15", ">= 0.12, < 0.14", "~> 0.15.5", "< 1.0"] {
        let (exit, output) = run(module(version, body), "check");
        assert_eq!(exit, Exit::Findings, "{version}: {output}");
        for part in [
            "3 errors, ",
            "error[missing-schema]",
            "error[type-mismatch]",
            "error[undeclared-reference]",
        ] {
            assert!(output.contains(part), "{version}: {part}: {output}");
        }
        assert!(output.contains("it is judged as 1.5.7, the oldest"), "{version}: {output}");
        let (_, output) = run(module(version, body), "check -v");
        for part in ["There is no function named \"map\"", "Blocks of type \"config\""] {
            assert!(output.contains(part), "{version}: {part}: {output}");
        }
        assert!(
            output.contains("which may accept it: terraschema knows no"),
            "{version}: {output}"
        );

        let sound = body.replace("var.sise", "var.size");
        let (_, output) = run(module(version, &sound), "validate --var size=1");
        let undecided = "undecided: ";
        assert!(!output.contains("rejected") && output.contains(undecided), "{version}: {output}");
    }
    for version in ["~> 1.0.11", ">= 0.12"] {
        let (_, output) = run(module(version, body), "check");
        for part in ["5 errors, ", "There is no function named \"map\""] {
            assert!(output.contains(part), "{version}: {part}: {output}");
        }
    }
}

#[test]
fn the_configuration_says_whose_verdict() {
    for (text, judged_as) in [
        ("terraform_version = \"1.9\"", "Terraform 1.9.8"),
        ("opentofu = true", "OpenTofu 1.12.6"),
        ("opentofu = false", "Terraform 1.15.9"),
        ("opentofu = \"1.10\"", "OpenTofu 1.10.10"),
        ("opentofu = false\nterraform_version = \"1.9\"", "Terraform 1.9.8"),
    ] {
        let system = || guarded().file("/m/.terraschema.hcl", format!("{text}\n"));
        for command in ["validate", "check"] {
            let (_, output) = run(system(), command);
            assert!(output.contains(&format!("judged as {judged_as}")), "{text}: {output}");
        }
    }
    for (text, expected) in [
        ("opentofu = true\nterraform_version = \"1.9\"", "remove one"),
        ("opentofu = 1.10", "the number 1.10 is 1.1"),
        ("terraform_version = \"3\"", "unknown release 3.x of Terraform"),
    ] {
        let system = guarded().file("/m/.terraschema.hcl", format!("{text}\n"));
        let (exit, output) = run(system, "validate");
        assert_ne!(exit, Exit::Clean, "{text}");
        assert!(output.contains(expected), "{text}: {output}");
    }
}

/// Who drops what a type lacks is who runs the module.
#[test]
fn a_finding_names_the_product_that_runs_the_module() {
    let module = "variable \"x\" {\n  type = object({ a = string })\n}\n";
    for (flags, dropped) in [
        ("", "Terraform drops it"),
        (" --opentofu", "OpenTofu drops it"),
        (" --opentofu=1.9", "OpenTofu drops it"),
    ] {
        let system = MemorySystem::new()
            .file("/m/main.tf", module)
            .file("/m/a.tfvars", "x = { a = \"1\", b = \"2\" }\n");
        let (_, output) = run(system, &format!("check{flags}"));
        assert!(
            output.contains(&format!("has no attribute \"b\"; {dropped}")),
            "{flags}: {output}"
        );
    }
}

/// A nearer file speaks over a farther one, whichever product it names.
#[test]
fn a_nearer_configuration_counts() {
    let system = MemorySystem::new()
        .file("/m/.terraschema.hcl", "opentofu = true\n")
        .file("/m/a/.terraschema.hcl", "terraform_version = \"1.9\"\n")
        .file("/m/a/main.tf", GUARDED)
        .file("/m/b/.terraschema.hcl", "opentofu = false\n")
        .file("/m/b/main.tf", GUARDED)
        .file("/m/c/main.tf", GUARDED);
    let (_, output) = run(system, "check");
    for part in ["Terraform 1.9.8", "Terraform 1.15.9", "OpenTofu 1.12.6"] {
        assert!(output.contains(part), "{part}: {output}");
    }
}

#[test]
fn a_pinned_module_is_judged_alike_everywhere() {
    let pinned = format!("terraform {{\n  required_version = \"~> 1.9.0\"\n}}\n{GUARDED}");
    let system = || MemorySystem::new().file("/m/main.tf", &*pinned);
    for command in ["validate", "check"] {
        let (exit, output) = run(system(), command);
        assert_eq!(exit, Exit::Findings, "{command}: {output}");
        assert!(output.contains("judged as Terraform 1.9.8"), "{command}: {output}");
    }
    let (_, output) = run(system(), "eval 1==1");
    assert!(output.contains("true"), "{output}");
}

#[test]
fn eval_evaluates_by_the_release() {
    for (flags, expression, expected) in [
        ("", "convert(\"1\",number)", "1"),
        ("--terraform-version 1.14", "convert(1,1)", "does not know the function"),
        ("--opentofu", "convert(1,1)", "which OpenTofu does not have"),
        ("--terraform-version 1.9", "element(tolist([1,2]),-1)", "negative index"),
        ("--terraform-version 1.10", "element(tolist([1,2]),-1)", "2"),
    ] {
        let flags = if flags.is_empty() { String::new() } else { format!("{flags} ") };
        let (_, output) = run(guarded(), &format!("eval {flags}{expression}"));
        assert!(output.contains(expected), "{flags}{expression}: {output}");
    }
}

/// The message fails for null from Terraform 1.12 on, and in 1.9 it does not.
#[test]
fn a_schema_holds_for_every_release_that_may_run_the_module() {
    let module = |required: &str| {
        format!(
            "terraform {{\n  {required}\n}}\nvariable \"x\" {{\n  default = null\n  validation {{\n    \
             condition     = var.x == null ? true : var.x != \"a\"\n    error_message = format(\"Not %s.\", var.x)\n  }}\n}}\n"
        )
    };
    let refuses_null = |required: &str, flags: &str| {
        let system = MemorySystem::new().file("/m/main.tf", module(required));
        let (_, output) = run(system, &format!("generate --stdout{flags}"));
        output.contains("\"null\"")
    };
    assert!(refuses_null("", ""));
    assert!(!refuses_null("", " --terraform-version 1.9"));
    assert!(!refuses_null("required_version = \">= 1.5\"", ""));
    assert!(refuses_null("required_version = \">= 1.12\"", ""));
}

#[test]
fn a_computed_source_names_the_release_that_takes_it() {
    let text = "variable \"x\" {\n  type = string\n}\n\nmodule \"m\" {\n  source = var.x\n}\n";
    let module = || MemorySystem::new().file("/m/main.tf", text);
    for (flags, help) in [
        ("--terraform-version 1.14", "variables with `const = true` and locals came with 1.15"),
        ("--opentofu=1.7", "a `source` of variables and locals came with 1.8"),
    ] {
        let (exit, output) = run(module(), &format!("check {flags}"));
        assert_eq!(exit, Exit::Findings, "{output}");
        assert!(output.contains("Variables not allowed") && output.contains(help), "{output}");
    }
}
