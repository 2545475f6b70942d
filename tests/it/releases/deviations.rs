//! What releases answer otherwise than we do, by the reason: `KIND RELEASE NAME`, or `KIND PRODUCT NAME`
//! for all releases that are compared. One that is no deviation any more is told.

const KNOWN: &[(&str, &[&str])] = &[
    (
        "What is not installed, or from another registry, is not judged, and said to be so.",
        &[
            "trees opentofu manifest-nested/no arguments",
            "trees opentofu manifest-nested/x=1",
            "trees opentofu manifest-registry/no arguments",
            "trees opentofu manifest-registry/x=1",
        ],
    ),
    (
        "Imports are not compared with one another, nor their keys with those of instances.",
        &[
            "trees opentofu own-import-dup-foreach/no arguments",
            "trees opentofu-1.12.6 import-for-each-tuple/no arguments",
        ],
    ),
    ("What only an apply tells is left open.", &["probes opentofu rules/unknown-or-true"]),
    (
        "Backends, providers and tests are not looked at.",
        &["probes opentofu calls/json-providers-index"],
    ),
    (
        "A source that is no constant is not evaluated: what it calls is said not to be judged.",
        &["blocks opentofu 113"],
    ),
    (
        "A rule before 1.9 that refers to a call is refused for that, and not as a cycle.",
        &["trees opentofu-1.7.10 rule-cycle-through-call/no arguments"],
    ),
    (
        "Before 1.10 an instance of a call cannot be named as an attribute: module.a.key.",
        &["trees opentofu module-for-each-forms/no arguments"],
    ),
    (
        "How deep a value may be that is ephemeral is not known.",
        &["verdicts opentofu nested-deeply-hidden/ephemeral.tfvars.json"],
    ),
];

/// The entry of a deviation; `name` begins with the release.
pub fn known(kind: &str, name: &str) -> Option<&'static str> {
    let (release, rest) = name.split_once(' ')?;
    let (product, _) = release.split_once('-')?;
    let texts = [format!("{kind} {name}"), format!("{kind} {product} {rest}")];
    all().find(|it| texts.iter().any(|text| text == it))
}

/// The entries of kinds.
pub fn of(kinds: &[&str]) -> impl Iterator<Item = &'static str> {
    all().filter(move |it| kinds.iter().any(|kind| it.split(' ').next() == Some(kind)))
}

fn all() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().flat_map(|it| it.1).copied()
}
