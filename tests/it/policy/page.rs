//! `docs/policy.md`, executed: the values of its table, the rules and the findings that it shows.

use serde_json::{Value, json};
use testkit::transcript::page;

use super::{command, errors, judged};

const PAGE: &str = include_str!("../../../docs/policy.md");
const POLICIES: &str = include_str!("../../../docs/policies.md");

/// A plan with one `t.a`, whose argument `v` is this, or unknown.
fn plan(value: &Value, is_unknown: bool) -> String {
    json!({
        "format_version": "1.2",
        "resource_changes": [{
            "address": "t.a", "mode": "managed", "type": "t", "name": "a",
            "change": {
                "actions": ["update"],
                "before": {"v": "old", "twin": "twin"},
                "after": {"v": value, "twin": "twin"},
                "after_unknown": {"v": is_unknown},
            },
        }],
    })
    .to_string()
}

/// The code in the cells of a row.
fn cells(line: &str) -> Option<[&str; 3]> {
    let mut parts = line.strip_prefix("| `")?.strip_suffix("` |")?.split("` | `");
    let cells = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(cells)
}

#[test]
fn every_row_of_the_page_passes_fails_and_is_undecided() {
    let rows: Vec<[&str; 3]> = PAGE.lines().filter_map(cells).collect();
    assert!(rows.len() >= 50, "{}", rows.len());
    for [validator, passes, fails] in rows {
        let rules = format!("rule \"r\" {{\n  resource \"t\" {{\n    v = {validator}\n  }}\n}}\n");
        let said = |value: &str, is_unknown| {
            let value = serde_json::from_str(value).unwrap_or_else(|it| panic!("{value}: {it}"));
            let found = judged(&rules, &plan(&value, is_unknown)).findings;
            found.into_iter().map(|it| (it.level.as_str(), it.message)).collect::<Vec<_>>()
        };
        assert_eq!(said(passes, false), [], "{validator} {passes}");
        let failed = said(fails, false);
        assert!(
            !failed.is_empty() && failed.iter().all(|it| it.0 == "error"),
            "{validator} {fails}"
        );
        let open = said("null", true);
        assert!(
            !open.is_empty() && open.iter().all(|it| it.0 == "warning"),
            "{validator}: {open:?}"
        );
    }
}

#[test]
fn every_rule_of_the_pages_is_one() {
    let pages = [PAGE, POLICIES].into_iter().flat_map(|it| it.split("```hcl\n").skip(1));
    let blocks = pages.map(|it| it.split("```").next().unwrap());
    let mut count = 0;
    for rules in blocks {
        assert_eq!(errors(rules), Vec::<String>::new(), "{rules}");
        count += 1;
    }
    assert!(count > 0);
}

/// The text of the code block behind a line.
fn block<'p>(before: &str, kind: &str) -> &'p str {
    let start = format!("`{before}`\n\n```{kind}\n");
    let rest = PAGE.split(&*start).nth(1).unwrap_or_else(|| panic!("no {before}"));
    rest.split("```").next().unwrap()
}

#[test]
fn the_configuration_of_the_page_gives_what_it_shows() {
    let words = "policy --config . rules --format concise";
    let files = [
        ("main.tf", block("main.tf", "terraform")),
        ("rules/networks.rules.hcl", block("rules/networks.rules.hcl", "hcl")),
    ];
    let (code, out, _) = command(&files, words.trim_start_matches("policy "));
    assert_eq!((code, out.as_str()), (1, block(&format!("terraschema {words}"), "text")));
}

#[test]
fn every_command_of_the_page_prints_what_the_page_shows() {
    let (shown, count) = page(PAGE);
    assert!(count > 0);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("docs/policy.md", &shown).unwrap();
    } else {
        assert_eq!(shown, PAGE, "UPDATE=1 rewrites it");
    }
}
