//! What we are known to answer otherwise than some releases, and why.

/// The reason, the releases and the expressions, or probes as `FAMILY/NAME`.
const ALL: &[(&str, &[&str], &[&str])] = &[
    (
        "It depends on Go, and the program that was asked has a newer one: not asked.",
        &["terraform-1.5.7", "terraform-1.6.6", "terraform-1.7.5", "opentofu-1.6.3"],
        &[
            r#"jsonencode("\u0000\u0001\u001f\u007f\n\r\t\u0008\u000c\"\\/")"#,
            r#"regex("(?<n>x)", "x")"#,
        ],
    ),
    (
        "OpenTofu has strings that are not UTF-8: undecided.",
        &[
            "opentofu-1.7.10",
            "opentofu-1.8.11",
            "opentofu-1.9.4",
            "opentofu-1.10.10",
            "opentofu-1.11.14",
            "opentofu-1.12.6",
        ],
        &["functions/urldecode-not-utf8"],
    ),
];

/// Whether it is known that the answer differs.
pub fn is_known(release: &str, question: &str) -> bool {
    ALL.iter().any(|(_, releases, all)| releases.contains(&release) && all.contains(&question))
}

/// What is asked of a release and known to be answered otherwise: expressions, or probes.
pub fn of_expressions(release: &str, are_probes: bool) -> impl Iterator<Item = &'static str> {
    let of = ALL.iter().filter(move |it| it.1.contains(&release)).flat_map(|it| it.2).copied();
    of.filter(move |it| it.starts_with("functions/") == are_probes)
}

/// `KIND RELEASE NAME`, or `KIND PRODUCT NAME` for all releases that are compared, by the reason. An entry that is not
/// a deviation any more is reported.
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
        "Imports are not compared with one another.",
        &["trees opentofu own-import-dup-foreach/no arguments"],
    ),
    (
        "An import whose `for_each` refers to its own target is left open; Terraform 1.7 and 1.8 accept it.",
        &[
            "probes terraform-1.7.5 blocks/import-self-reference",
            "probes terraform-1.8.5 blocks/import-self-reference",
        ],
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
    (
        "OpenTofu refuses resources as arguments for const variables; that is not looked at.",
        &["probes opentofu-1.12.6 blocks/variable-const-call-resource"],
    ),
    (
        "What only an apply knows is left open.",
        &[
            "expressions terraform-1.5.7 bcrypt(\"a\") == null",
            "expressions terraform-1.5.7 timestamp() == null",
            "expressions terraform-1.5.7 uuid() == null",
            "probes terraform-1.5.7 rules/unknown-not-null",
            "probes terraform-1.5.7 rules/unknown-set-length",
        ],
    ),
    (
        "Terraform 1.5 refuses an id of an import that is evaluated, and takes an attribute that a type names \
         twice.",
        &[
            "probes terraform-1.5.7 blocks/import-id-expression",
            "probes terraform-1.5.7 blocks/variable-two-defaults-in-object",
            "trees terraform-1.5.7 import-values/id=",
            "trees terraform-1.5.7 import-values/no arguments",
        ],
    ),
    (
        "Provisioners in removed blocks came with Terraform 1.9; they are taken since 1.7 here.",
        &[
            "probes terraform-1.7.5 blocks/removed-provisioner",
            "probes terraform-1.8.5 blocks/removed-provisioner",
            "trees terraform-1.7.5 removed-provisioner/no arguments",
            "trees terraform-1.8.5 removed-provisioner/no arguments",
        ],
    ),
    (
        "Before 1.7 Terraform reports only after the plan that a data source cannot be imported.",
        &[
            "blocks terraform-1.5.7 316",
            "blocks terraform-1.5.7 322",
            "blocks terraform-1.5.7 326",
            "blocks terraform-1.6.6 316",
            "blocks terraform-1.6.6 322",
            "blocks terraform-1.6.6 326",
        ],
    ),
    (
        "The candidate of 1.16 takes an underscore in the namespace of a provider.",
        &["blocks terraform-1.16.0-rc2 525"],
    ),
    (
        "Before 1.8 an instance of a call cannot be named as an attribute: module.a.key.",
        &[
            "trees terraform-1.5.7 module-for-each-forms/no arguments",
            "trees terraform-1.6.6 module-for-each-forms/no arguments",
            "trees terraform-1.7.5 module-for-each-forms/no arguments",
        ],
    ),
    (
        "A rule before 1.9 that refers to a call is refused for that, and not as a cycle.",
        &[
            "trees terraform-1.6.6 rule-cycle-through-call/no arguments",
            "trees terraform-1.7.5 rule-cycle-through-call/no arguments",
            "trees terraform-1.8.5 rule-cycle-through-call/no arguments",
        ],
    ),
    (
        "Terraform 1.9 reports fewer rules if the message of another one cannot be evaluated; the verdict is \
         the same.",
        &[
            "verdicts terraform-1.9.8 override-default-optional/given.tfvars",
            "verdicts terraform-1.9.8 override-default-optional/none.tfvars",
            "verdicts terraform-1.9.8 override-default-optional/null.tfvars",
            "verdicts terraform-1.9.8 plan-time/v00.tfvars.json",
            "verdicts terraform-1.9.8 plan-time/v01.tfvars.json",
        ],
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

/// The reasons, as sentences, each with the releases or products that it is about.
pub fn reasons() -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (reason, releases, _) in ALL {
        found.push(((*reason).to_owned(), releases.iter().map(ToString::to_string).collect()));
    }
    for (reason, entries) in KNOWN {
        let mut releases: Vec<String> =
            entries.iter().filter_map(|it| it.split(' ').nth(1)).map(str::to_owned).collect();
        releases.sort();
        releases.dedup();
        found.push(((*reason).to_owned(), releases));
    }
    found
}
