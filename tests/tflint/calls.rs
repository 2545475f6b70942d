//! Problems with calls are reported in the root module's files, whatever tflint makes of called modules.

use crate::{
    lint::{CONFIGURATION, Issue, Project, Texts},
    missing::{MissingProgram, trials},
};

trials![
    what_an_argument_breaks_stands_at_the_argument,
    what_breaks_further_down_stands_at_the_block_that_leads_there,
    what_the_root_module_says_of_calls_counts_too,
    settings_about_called_modules_change_nothing,
    calls_can_be_left_alone,
    values_stay_hidden_across_calls,
];

const ONLY: &str = "--only=terraschema_module_call";
const OUTER: &str = "variable \"size\" {\n  type = number\n}\nmodule \"inner\" {\n  source = \"../inner\"\n  \
                     size   = var.size\n}\noutput \"id\" {\n  value = 1\n}\n";
const INNER: &str = "variable \"size\" {\n  type = number\n  validation {\n    condition     = var.size > 3\n    \
                     error_message = \"Too small.\"\n  }\n}\n";

/// A root module next to `outer`, which calls `inner`.
fn tree(root: &str) -> Result<Project, MissingProgram> {
    Project::new(&[("main.tf", root), ("outer/main.tf", OUTER), ("inner/main.tf", INNER)])
}

fn call(arguments: &str) -> String {
    format!("module \"outer\" {{\n  source = \"./outer\"\n{arguments}}}\n")
}

fn told(project: &Project, args: &[&str]) -> Vec<(String, String)> {
    let issues = project.issues(&[&[ONLY][..], args].concat()).into_iter();
    issues.map(|Issue { place, message, .. }| (place, message)).collect()
}

#[track_caller]
fn assert_told(root: &str, place: &str, message: &str) -> Result<(), MissingProgram> {
    let project = tree(root)?;
    // tflint itself stops at some of it where it loads what is called.
    let told = told(&project, &["--call-module-type=none"]);
    assert_eq!(told, [(place.to_owned(), message.to_owned())], "{root}");
    Ok(())
}

fn what_an_argument_breaks_stands_at_the_argument() -> Result<(), MissingProgram> {
    let root = "module \"inner\" {\n  source = \"./inner\"\n  size   = 2\n}\n";
    assert_told(
        root,
        "main.tf:3:12-3:13",
        "Too small. (in module.inner, inner/main.tf:4:21) (\"size\" must be a number above 3)",
    )?;
    assert_told(
        &call("  size   = \"x\"\n"),
        "main.tf:3:12-3:15",
        "Invalid value for input variable: The given value is not suitable for var.size: a number is required. \
         (in module.outer, outer/main.tf:2:10)",
    )?;
    assert_told(
        &call("  size   = 4\n  sise   = 1\n"),
        "main.tf:4:3-4:7",
        "Unsupported argument: The module called by \"outer\" has no variable \"sise\". Did you mean \"size\"? \
         (in module.outer)",
    )?;
    Ok(())
}

fn what_breaks_further_down_stands_at_the_block_that_leads_there() -> Result<(), MissingProgram> {
    assert_told(
        &call("  size   = 2\n"),
        "main.tf:1:1-1:15",
        "Too small. (in module.outer.module.inner, outer/main.tf:6:12) (\"size\" must be a number above 3)",
    )?;
    Ok(())
}

fn what_the_root_module_says_of_calls_counts_too() -> Result<(), MissingProgram> {
    let output =
        |of: &str| format!("{}output \"o\" {{\n  value = {of}\n}}\n", call("  size   = 4\n"));
    assert_told(
        &output("module.outer.ip"),
        "main.tf:6:24-6:26",
        "Unsupported attribute: This object does not have an attribute named \"ip\". Did you mean \"id\"?",
    )?;
    assert_told(
        &call("  size   = 4\n  count  = -1\n"),
        "main.tf:4:12-4:14",
        "Invalid count argument: The given \"count\" argument value is unsuitable: must be greater than or equal to zero.",
    )?;
    Ok(())
}

/// tflint loads called modules or not, checks them or not: the root module's findings are the same.
fn settings_about_called_modules_change_nothing() -> Result<(), MissingProgram> {
    let project = tree(&call("  size   = 2\n"))?;
    let all = told(&project, &[]);
    assert_eq!(all.len(), 1);
    for kind in ["none", "local"] {
        assert_eq!(told(&project, &[&format!("--call-module-type={kind}")]), all, "{kind}");
    }
    let ignored = "config {\n  ignore_module = {\n    \"./outer\" = true\n  }\n}\n";
    project.write(".tflint.hcl", &format!("{ignored}{CONFIGURATION}"));
    assert_eq!(told(&project, &[]), all);
    Ok(())
}

fn calls_can_be_left_alone() -> Result<(), MissingProgram> {
    let broken = call("  size   = 2\n");
    let ignored = format!("# tflint-ignore: terraschema_module_call\n{broken}");
    let suppressed = format!("# terraschema:ignore failed-validation a test\n{broken}");
    let cases: [Texts<'_>; 3] = [
        &[("main.tf", &ignored)],
        &[("main.tf", &suppressed)],
        &[("main.tf", &broken), (".terraschema.hcl", "calls = false\n")],
    ];
    for case in cases {
        let project = tree("")?;
        case.iter().for_each(|(name, text)| project.write(name, text));
        assert_eq!(told(&project, &[]), [], "{case:?}");
    }
    Ok(())
}

fn values_stay_hidden_across_calls() -> Result<(), MissingProgram> {
    let root = "variable \"token\" {\n  sensitive = true\n  default   = \"hunter2\"\n}\nmodule \"n\" {\n  \
                source = \"./n\"\n  token  = var.token\n  key    = \"swordfish\"\n}\n";
    let called = "variable \"token\" {\n  validation {\n    condition     = length(var.token) > 30\n    \
                  error_message = \"Not ${var.token}.\"\n  }\n}\nvariable \"key\" {\n  type = number\n  sensitive = true\n}\n";
    let project = Project::new(&[("main.tf", root), ("n/main.tf", called)])?;
    let said = project.tflint(&[ONLY, "--format=json"]);
    assert!(said.out.contains("terraschema_module_call"), "{}", said.out);
    for secret in ["hunter2", "swordfish"] {
        assert!(!said.out.contains(secret), "{}", said.out);
    }
    Ok(())
}
