//! What we are known to answer otherwise than some releases, and why.

/// The reason, the releases and the expressions, or probes as `FAMILY/NAME`.
const ALL: &[(&str, &[&str], &[&str])] = &[
    (
        "Before cty 1.14.3, whole numbers that functions give with 53 or 64 bits are equal by their \
         shortest texts, not by their values; here all releases compare values.",
        &["terraform-1.5.7", "terraform-1.6.6", "terraform-1.7.5", "opentofu-1.6.3"],
        &[
            "functions/pow-large",
            r#"-pow(2,64) == -18446744073709551616"#,
            r#"144115188075855870 == pow(2,57)"#,
            r#"144115188075855872 == pow(2,57)"#,
            r#"18446744073709551616/3*3 == pow(2,64)"#,
            r#"9223372036854775808 != pow(2, 63)"#,
            r#"9223372036854775808 <= pow(2, 63)"#,
            r#"9223372036854775808 >= pow(2, 63)"#,
            r#"[pow(2,64)] == [18446744073709551616]"#,
            r#"abs(pow(2,64)) == 18446744073709551616"#,
            r#"ceil(pow(2,64)) == 18446744073709551616"#,
            r#"contains([18446744073709551616], pow(2,64))"#,
            r#"contains([[pow(2, 64)]], [18446744073709551616])"#,
            r#"contains([pow(2,64)], 18446744073709551616)"#,
            r#"distinct([pow(2,64), 18446744073709551616])"#,
            r#"floor(pow(2,64)) == 18446744073709551616"#,
            r#"index([18446744073709551616], pow(2, 64))"#,
            r#"index([pow(2,64)], 18446744073709551616)"#,
            r#"jsondecode("18446744073709551616") == pow(2,64)"#,
            r#"matchkeys(["a","b"],[pow(2,64),1],[18446744073709551616])"#,
            r#"max(pow(2,64)) == 18446744073709551616"#,
            r#"max(pow(2,64),1) == 18446744073709551616"#,
            r#"min(pow(2,64)) == 18446744073709551616"#,
            r#"parseint("18446744073709551616",10) == pow(2,64)"#,
            r#"pow(10,23)==100000000000000000000000"#,
            r#"pow(10,23)==99999999999999991611392"#,
            r#"pow(10,30)==1000000000000000000000000000000"#,
            r#"pow(10,30)==1000000000000000019884624838656"#,
            r#"pow(2, 64) == 18446744073709551616 ? "same" : "other""#,
            r#"pow(2,1000)==pow(2,999)*2"#,
            r#"pow(2,55)==36028797018963968"#,
            r#"pow(2,55)==36028797018963970"#,
            r#"pow(2,600) == 2*pow(2,599)"#,
            r#"pow(2,64) == 18446744073709551616"#,
            r#"setintersection([pow(2,64)],[18446744073709551616])"#,
            r#"setsubtract([pow(2,64)],[18446744073709551616])"#,
            r#"sum([pow(2,64)]) == 18446744073709551616"#,
            r#"toset([pow(2,64)]) == toset([18446744073709551616])"#,
            r#"{a = [pow(2, 64)]} != {a = [18446744073709551616]}"#,
            r#"{a=pow(2,64)} == {a=18446744073709551616}"#,
        ],
    ),
    (
        "What an output stores loses digits beyond 64 bits before cty 1.14.4; the evaluation does not.",
        &[
            "terraform-1.5.7",
            "terraform-1.6.6",
            "terraform-1.7.5",
            "terraform-1.8.5",
            "opentofu-1.6.3",
        ],
        &[
            "functions/yamldecode-large",
            r#"sum([parseint("9223372036854775807", 10), 1])"#,
            r#"yamldecode("0x8000000000000000")"#,
            r#"yamldecode("18446744073709551616")"#,
        ],
    ),
    (
        "It depends on Go, and the program that was asked has a newer one: not asked.",
        &["terraform-1.5.7", "terraform-1.6.6", "terraform-1.7.5", "opentofu-1.6.3"],
        &[
            r#"jsonencode("\u0000\u0001\u001f\u007f\n\r\t\u0008\u000c\"\\/")"#,
            r#"regex("(?<n>x)", "x")"#,
        ],
    ),
    (
        "OpenTofu has texts that are no UTF-8: undecided.",
        &["opentofu-1.7.10", "opentofu-1.8.11", "opentofu-1.9.4", "opentofu-1.12.6"],
        &["functions/urldecode-not-utf8"],
    ),
];

/// Whether it is known that the answer differs.
pub fn is_known(release: &str, question: &str) -> bool {
    ALL.iter().any(|(_, releases, all)| releases.contains(&release) && all.contains(&question))
}

/// `KIND RELEASE NAME`, or `KIND PRODUCT NAME` for all releases that are compared, by the reason. One that is
/// no deviation any more is told.
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
