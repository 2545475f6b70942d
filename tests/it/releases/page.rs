//! `docs/releases.md`: the table of changes, for people. `UPDATE=1` rewrites it.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use crate::markdown::wrap;
use release::{
    ChangeKind, LanguageChange, Product, Release, Version,
    changes::{self, FUNCTIONS, LANGUAGE},
};
use testkit::unpacked::unpacked;

const INTRODUCTION: &str = "# Releases

This page lists what each release of Terraform and OpenTofu changed for a module's contract: its
variables and their rules, its calls, and how values reach it. Every entry was asked of the real
programs; [tests/data/releases](../tests/data/releases/README.md) has the questions and their answers.
The page is generated from the table that the verdict itself uses,
[`crates/release/src/changes.rs`](../crates/release/src/changes.rs).

These releases were asked:

";

const AFTER: &str = "
## Choose a release

- `--terraform-version VERSION` and `--opentofu[=VERSION]` choose the release, in `check`, `validate`,
  `eval` and `generate`. In [`.terraschema.hcl`](configuration.md) `terraform_version` and `opentofu`
  do. The default is the newest stable Terraform that `required_version` allows, in the module and in
  everything that it calls. Reports name the release: `judged as Terraform 1.15.9`.
- `1.11` means its newest known patch. Another patch is judged as that one. A newer minor release is
  judged as the newest stable one, and an older one as the oldest; both are reported. A release
  candidate is judged if you ask for it, and reports call it a candidate.
- A schema rejects nothing that a stable release accepts which `required_version` allows. Without
  `required_version` only the default release counts.
- A module that only releases before Terraform 1.0 may run is judged as 1.5.7, and what those releases
  may read differently is undecided: removed functions such as `map`, removed blocks, types in quotes,
  references without an index. Values and undeclared names are judged.
- All releases here know what came before Terraform 1.5. It is listed because `required_version` may
  allow older ones ([required-version-too-low](rules/required-version-too-low.md)).

";

const DEVIATIONS: &str = "## Known deviations

The answers of these releases differ from how they are judged here. Asking them found these; no other
recorded answer differs.

One deviation is in no record: Terraform loses the marks of an unknown value that goes through `!` or
`-`. So 1.11.4 rejects an ephemeral output of a called module that is `!var.v`, where `v` is
ephemeral. Marks are judged like this for all releases. The evaluators of 1.12 and 1.13 lose them as
well; that of 1.15 was not asked.

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
    for product in [Product::Terraform, Product::OpenTofu] {
        let versions: Vec<String> = product.releases().map(|it| it.version().to_string()).collect();
        page += &wrap(&format!("{product} {}", versions.join(", ")), "- ", "  ");
    }
    page += AFTER;
    for product in [Product::Terraform, Product::OpenTofu] {
        writeln!(page, "## {product}\n").unwrap();
        let mut by_minor: BTreeMap<(u32, u32), Vec<&LanguageChange>> = BTreeMap::new();
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
            page.truncate(page.trim_end().len());
            page += "\n\n";
        }
    }
    page += DEVIATIONS;
    for (reason, releases) in super::deviations::reasons() {
        page += &wrap(&format!("{}: {reason}", releases.join(", ")), "- ", "  ");
    }
    page
}

fn entry(product: Product, it: &LanguageChange) -> String {
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
        [line] => wrap(&format!("{what}{without}: `{line}`"), "- ", "  "),
        lines => {
            let code: String = lines.iter().map(|it| format!("  {it}\n")).collect();
            let first = wrap(&format!("{what}{without}:"), "- ", "  ");
            format!("{first}\n  ```terraform\n{code}  ```\n\n")
        }
    }
}

/// What Go decides: the programs that were asked are built with a newer Go than the official ones.
const UNASKED: [&LanguageChange; 2] = [&changes::SHORT_NAMED_GROUPS, &changes::SHORT_JSON_ESCAPES];

/// Rows are proven by probes that there are, and a probe of a row shows what the row says: the
/// releases before it and from it on answer differently.
#[test]
fn every_row_is_proven() {
    let known: Vec<String> = super::probes::names();
    for change in FUNCTIONS.iter().chain(LANGUAGE) {
        for probe in change.probes {
            if let Some((kind, name)) = probe.split_once(' ') {
                let is_there = match kind {
                    "blocks" => name.parse::<usize>().is_ok(),
                    "trees" => unpacked("trees").join(name).is_dir(),
                    "verdicts" => unpacked("verdicts").join(name).is_dir(),
                    "cases" => unpacked("oracle/cases").join(name).is_dir(),
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
