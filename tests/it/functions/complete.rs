//! Nothing is missing: every function of Terraform, a transcript and a line of the page for each.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::PathBuf};

use release::Release;
use tf_eval::functions::{self, BUILT_IN_PROVIDER, FAMILIES, Function, Param, ReturnType};

use super::registry::declared;

#[test]
fn every_function_of_terraform_is_registered_and_no_other() {
    let declared: BTreeSet<String> = declared().keys().cloned().collect();
    let registered: BTreeSet<String> =
        functions::all().iter().map(|it| it.name.to_string()).collect();
    let missing: Vec<_> = declared.difference(&registered).collect();
    // What came later, or to OpenTofu, is not a function of 1.11.
    let is_later = |it: &&String| release::function(it).is_some_and(|it| !Release::V1_11.has(it));
    let extra: Vec<_> = registered.difference(&declared).filter(|it| !is_later(it)).collect();
    assert!(
        missing.is_empty(),
        "Terraform 1.11 has functions that are not registered: {missing:?}"
    );
    assert!(
        extra.is_empty(),
        "{extra:?}: Terraform 1.11 has none; what came later has a row in crates/release/src/changes/functions.rs"
    );
}

#[test]
fn every_function_has_a_description_and_a_transcript() {
    for it in functions::all().iter().copied().chain(BUILT_IN_PROVIDER.functions) {
        assert!(it.description.ends_with('.'), "{}: describe it in a sentence", it.name);
        let transcript = root().join(format!("tests/spec/functions/{}.md", it.name));
        let text = fs::read_to_string(&transcript).unwrap_or_default();
        let call = format!("{}(", it.name);
        let calls = text.lines().filter(|line| line.starts_with("> ") && line.contains(&call));
        assert!(
            calls.count() >= 2,
            "{0} lacks a transcript: write two calls (`> {0}(…)`, each with a line for its answer) into \
             tests/spec/functions/{0}.md; UPDATE=1 cargo test --test spec -- functions/{0}.md asks \
             Terraform for the answers",
            it.name
        );
    }
}

/// `UPDATE=1` rewrites the page.
#[test]
fn the_page_lists_every_function() {
    let path = root().join("docs/functions.md");
    let expected = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let actual = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "UPDATE=1 cargo test --test it -- functions::complete rewrites docs/functions.md"
    );
}

fn page() -> String {
    let mut page = "# Functions\n\n\
                    terraschema evaluates Terraform's functions without Terraform. Each link leads to a \
                    transcript with\nunusual arguments, which is replayed against a real Terraform. This \
                    page is generated.\n"
        .to_string();
    for family in FAMILIES.iter().chain([&BUILT_IN_PROVIDER]) {
        write!(page, "\n## {}\n\n| Function | Result | |\n|---|---|---|\n", family.title).unwrap();
        for it in family.functions {
            let transcript = format!("../tests/spec/functions/{}.md", it.name);
            let (call, result) = (declaration(it), result(it));
            let description = it.description.replace('|', "\\|");
            writeln!(page, "| [`{call}`]({transcript}) | {result} | {description} |").unwrap();
        }
    }
    page
}

fn declaration(function: &Function) -> String {
    let name = |it: &Param| format!("{}: {}", it.name, it.ty.to_type().constraint_name());
    let mut params: Vec<String> = function.params.iter().map(name).collect();
    params.extend(function.variadic.iter().map(|it| format!("{}…", name(it))));
    format!("{}({})", function.name, params.join(", "))
}

fn result(function: &Function) -> String {
    match function.returns {
        ReturnType::Fixed(ty) => ty.to_type().constraint_name(),
        ReturnType::Of(_) | ReturnType::OfRelease(_) => "depends on the arguments".to_string(),
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
