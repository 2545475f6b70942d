//! `docs/releases.md`: the table of changes, for people. `UPDATE=1` rewrites it.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use release::{
    Change, ChangeKind, Product, Release, Version,
    changes::{self, FUNCTIONS, LANGUAGE},
};

const INTRODUCTION: &str = "# Releases

What each release of Terraform and OpenTofu changed for a module's contract: its variables and their rules, what it calls, \
and how values reach it. Every entry was asked of the real programs; the questions and their answers stand in \
[tests/data/releases](../tests/data/releases/README.md). This page is generated from the table that the verdict itself uses, \
[`crates/release/src/changes.rs`](../crates/release/src/changes.rs).

Judged are, as they were asked: ";

const AFTER: &str = "

- `--terraform-version VERSION` and `--opentofu[=VERSION]` say whose verdict is wanted, in `check`, `validate`, `eval` and \
`generate`; in [`.terraschema.hcl`](configuration.md) `terraform_version` and `opentofu` do. Without them it is the newest \
final release of Terraform that the `required_version` of the module and of everything it calls admits. Reports say which one it was: `judged as Terraform 1.15.9`.
- `1.11` is the newest patch of it that is known. Another patch is judged as that one; a newer minor release as the newest \
final one, an older one as the oldest, and both are told. A candidate is judged where it is asked for, and called one.
- A schema refuses nothing that any final release takes which `required_version` admits; without it, the default release alone counts.
- What came before Terraform 1.5 is known to all releases here, and listed because `required_version` may admit older ones \
(the rule [required-version-too-low](rules/required-version-too-low.md)).

";

const DEVIATIONS: &str = "## Known deviations

What a release answers otherwise than it is judged here, found by asking it; beyond these no recorded answer differs.

One is in no record: Terraform loses the marks of an unknown value that goes through `!` or `-`. So 1.11.4 refuses an ephemeral output of a called module
that is `!var.v`, where `v` is ephemeral. All releases are judged so as far as marks go; the evaluators of 1.12 and 1.13 lose them as well, that of 1.15
was not asked.

";

#[test]
fn the_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/releases.md");
    let expected = page();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let actual = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "UPDATE=1 cargo test --test it -- releases::page rewrites docs/releases.md"
    );
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (index, product) in [Product::Terraform, Product::OpenTofu].into_iter().enumerate() {
        let versions: Vec<String> = product.releases().map(|it| it.version().to_string()).collect();
        let separator = if index > 0 { "; " } else { "" };
        write!(page, "{separator}{product} {}", versions.join(", ")).unwrap();
    }
    page.push('.');
    page += AFTER;
    for product in [Product::Terraform, Product::OpenTofu] {
        writeln!(page, "## {product}\n").unwrap();
        let mut by_minor: BTreeMap<(u32, u32), Vec<&Change>> = BTreeMap::new();
        let oldest = product.releases().next().unwrap().version();
        let oldest = (oldest.major, oldest.minor);
        for change in FUNCTIONS.iter().chain(LANGUAGE).copied() {
            if let Some(Version { major, minor, .. }) = change.first(product) {
                by_minor.entry((major, minor).max(oldest)).or_default().push(change);
            }
        }
        for ((major, minor), mut changes) in by_minor.into_iter().rev() {
            changes.sort_by_key(|it| it.kind);
            let before = if (major, minor) == oldest { " and before" } else { "" };
            writeln!(page, "### {product} {major}.{minor}{before}\n").unwrap();
            for it in changes {
                page += &entry(product, it);
            }
            page.push('\n');
        }
    }
    page += DEVIATIONS;
    for (reason, releases) in super::deviations::reasons() {
        writeln!(page, "- {}: {reason}", releases.join(", ")).unwrap();
    }
    page
}

fn entry(product: Product, it: &Change) -> String {
    let what = match it.kind {
        ChangeKind::Function if it.what.is_empty() => format!("the function `{}`", it.name),
        _ => it.what.to_owned(),
    };
    let without: Vec<String> = match product {
        Product::Terraform => it.without.iter().map(|minor| format!("1.{minor}")).collect(),
        Product::OpenTofu => Vec::new(),
    };
    let without = match without.as_slice() {
        [] => String::new(),
        all => format!("; not in {}", all.join(", ")),
    };
    let example: Vec<&str> = it.example.lines().collect();
    match example.as_slice() {
        [line] => format!("- {what}{without}: `{line}`\n"),
        lines => {
            let code: String = lines.iter().map(|it| format!("  {it}\n")).collect();
            format!("- {what}{without}:\n\n  ```terraform\n{code}  ```\n")
        }
    }
}

/// What Go decides: the programs that were asked are built with a newer Go than the official ones.
const UNASKED: [&Change; 2] = [&changes::SHORT_NAMED_GROUPS, &changes::SHORT_JSON_ESCAPES];

/// Rows are proven by probes that there are, and a probe of a row shows what the row says: the
/// releases before it and from it on answer differently.
#[test]
fn every_row_is_proven() {
    let known: Vec<String> = super::probes::names();
    for change in FUNCTIONS.iter().chain(LANGUAGE) {
        for probe in change.probes {
            if let Some((kind, name)) = probe.split_once(' ') {
                let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
                let is_there = match kind {
                    "blocks" => name.parse::<usize>().is_ok(),
                    "trees" => data.join("trees").join(name).is_dir(),
                    "verdicts" => data.join("verdicts").join(name).is_dir(),
                    "cases" => data.join("oracle/cases").join(name).is_dir(),
                    "expressions" => true,
                    _ => false,
                };
                assert!(is_there, "{}: there is no {probe}", change.name);
                continue;
            }
            assert!(
                known.iter().any(|it| it == probe),
                "{}: there is no probe {probe}",
                change.name
            );
        }
        let is_old = |product: Product| {
            let oldest = product.releases().next().map(Release::version);
            change.first(product).zip(oldest).is_none_or(|(first, oldest)| {
                (first.major, first.minor) <= (oldest.major, oldest.minor)
            })
        };
        let is_shown = !(is_old(Product::Terraform) && is_old(Product::OpenTofu));
        let (name, what) = (change.name, change.what);
        let is_unasked = UNASKED.iter().any(|it| std::ptr::eq(*it, *change));
        assert!(
            is_unasked || !is_shown || !change.probes.is_empty(),
            "no probe proves {name} {what}: tests/record-releases asks one of tests/data/releases/probes, and \
             the row names it with .probes(…)"
        );
    }
}
