//! Version constraints, and which release is judged for a version.

use release::{Constraints, Product, Release, Unknown};

/// Terraform 1.11.4's verdict on each `required_version`.
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
            Some(it) if Release::V1_11.meets(&it) => Verdict::Allows,
            Some(_) => Verdict::Refuses,
        };
        assert_eq!(verdict, *expected, "{text:?}");
    }
}

/// What is asked for, the release that it is, and the one that answers.
const RELEASES: &[(Product, &str, &str, &str)] = &[
    (Product::Terraform, "1", "Terraform 1.15.9", "1.15.9"),
    (Product::Terraform, "1.11", "Terraform 1.11.4", "1.11.4"),
    (Product::Terraform, "v1.11.0", "Terraform 1.11.0", "1.11.4"),
    (Product::Terraform, "1.9.99", "Terraform 1.9.99", "1.9.8"),
    (Product::Terraform, "1.5.7", "Terraform 1.5.7", "1.5.7"),
    (Product::Terraform, "1.4.2", "Terraform 1.4.2", "1.5.7"),
    (Product::Terraform, "0.12", "Terraform 0.12.0", "1.5.7"),
    (Product::Terraform, "1.16", "Terraform 1.16.0-rc2", "1.16.0-rc2"),
    (Product::Terraform, "1.16.0-beta1", "Terraform 1.16.0-beta1", "1.16.0-rc2"),
    (Product::Terraform, "1.99", "Terraform 1.99.0", "1.15.9"),
    (Product::OpenTofu, "1", "OpenTofu 1.12.6", "1.12.6"),
    (Product::OpenTofu, "1.6", "OpenTofu 1.6.3", "1.6.3"),
    (Product::OpenTofu, "1.5.7", "OpenTofu 1.5.7", "1.6.3"),
];

#[test]
fn a_release_answers_for_every_version_of_its_major() {
    for (product, text, release, recorded) in RELEASES {
        let found = Release::parse(*product, text).unwrap();
        assert_eq!(found.to_string(), *release, "{text}");
        assert_eq!(found.recorded().to_string(), *recorded, "{text}");
    }
    for text in ["", "1.", "1.x", "+1", "1.2.3.4", "latest", "1.11-foo", "-1"] {
        assert_eq!(Release::parse(Product::Terraform, text), Err(Unknown::Malformed), "{text:?}");
    }
    for text in ["2", "99", "2.0.0-alpha1"] {
        assert!(matches!(Release::parse(Product::Terraform, text), Err(Unknown::Major(..))));
    }
}

#[test]
fn what_answers_for_another_is_told() {
    let remark = |text| Release::parse(Product::Terraform, text).unwrap().remark();
    assert_eq!(remark("1.11"), None);
    assert_eq!(remark("1.11.0"), None, "another patch of it is no other release");
    let newer = "Terraform 1.99.0 is not known; it is judged as 1.15.9, the newest known release";
    assert_eq!(remark("1.99").as_deref(), Some(newer));
    let older = "Terraform 1.4.2 is not known; it is judged as 1.5.7, the oldest known release";
    assert_eq!(remark("1.4.2").as_deref(), Some(older));
    let candidate = "Terraform 1.16.0-rc2 is a release candidate, not a final release";
    assert_eq!(remark("1.16").as_deref(), Some(candidate));
}
