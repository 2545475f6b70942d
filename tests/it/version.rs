//! Tests of the `version` layer.

use terraschema::version::{Constraints, Version};

/// What Terraform 1.11.4 said of each `required_version`.
const VERDICTS: &[(&str, Verdict)] = &[
    ("", Verdict::Malformed),
    (">= 1.3,", Verdict::Malformed),
    ("1.11.4", Verdict::Allows),
    ("= v1.11.4", Verdict::Allows),
    ("~>1", Verdict::Allows),
    ("~> 1.11", Verdict::Allows),
    ("~> 1.11.0", Verdict::Allows),
    ("~> 1.10.0", Verdict::Refuses),
    ("!= 1.11.4", Verdict::Refuses),
    (">= 1.3, < 2", Verdict::Allows),
    (">=1.3.0-beta1", Verdict::Prerelease),
    ("~> 1.11.0-beta1", Verdict::Prerelease),
    ("foo", Verdict::Malformed),
    ("1.11", Verdict::Refuses),
    ("1.11.4+x", Verdict::Allows),
    ("1.11.4.0", Verdict::Allows),
    ("~> 1.11.4.0", Verdict::Refuses),
    ("~> 1.11.4.1", Verdict::Refuses),
    ("> 1 < 2", Verdict::Malformed),
    ("=> 1.3", Verdict::Malformed),
    (">= 1.3 || < 1", Verdict::Malformed),
    ("1.x", Verdict::Malformed),
    ("~> 99999999999999999999", Verdict::Malformed),
    ("==1.11.4", Verdict::Malformed),
    ("  >=  1.3  ", Verdict::Allows),
    (">= 01.3", Verdict::Allows),
    ("< 1.12.0-alpha", Verdict::Prerelease),
    (">= 1.11.4-", Verdict::Prerelease),
    ("1.11.4-beta.1", Verdict::Prerelease),
    ("1.11.4beta", Verdict::Prerelease),
    ("1.11.4-0", Verdict::Prerelease),
    ("v1.11.4", Verdict::Allows),
    (">= 1..3", Verdict::Malformed),
    (">= 1.3.", Verdict::Malformed),
    ("> = 1.3", Verdict::Malformed),
    ("~> v1.3", Verdict::Allows),
    (">= 1.3 , <= 1.11.4 ,!=1.2", Verdict::Allows),
];

#[derive(Debug, PartialEq)]
enum Verdict {
    Allows,
    Refuses,
    Malformed,
    Prerelease,
}

#[test]
fn constraints_agree_with_terraform() {
    for (text, expected) in VERDICTS {
        let verdict = match Constraints::parse(text) {
            None => Verdict::Malformed,
            Some(it) if it.has_prerelease() => Verdict::Prerelease,
            Some(it) if it.allow(Version::V1_11) => Verdict::Allows,
            Some(_) => Verdict::Refuses,
        };
        assert_eq!(verdict, *expected, "{text:?}");
    }
}
