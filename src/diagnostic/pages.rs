//! The pages of `docs/rules`, one for each rule.

/// A rule's id and its page.
macro_rules! page {
    ($id:literal) => {
        ($id, include_str!(concat!("../../docs/rules/", $id, ".md")))
    };
}

/// Every page, sorted by id.
const PAGES: &[(&str, &str)] = &[
    page!("backtracking-pattern"),
    page!("budget-exceeded"),
    page!("conditionally-required"),
    page!("default-fails-validation"),
    page!("failed-condition"),
    page!("failed-evaluation"),
    page!("failed-validation"),
    page!("foreign-schema"),
    page!("invalid-configuration"),
    page!("invalid-count"),
    page!("invalid-for-each"),
    page!("invalid-input-syntax"),
    page!("invalid-module"),
    page!("invalid-move"),
    page!("invalid-syntax"),
    page!("invalid-variable"),
    page!("missing-argument"),
    page!("missing-module"),
    page!("missing-schema"),
    page!("missing-variable"),
    page!("null-crashes-validation"),
    page!("null-not-allowed"),
    page!("orphan-input"),
    page!("orphan-schema"),
    page!("outside-root"),
    page!("required-version-too-low"),
    page!("rule-never-holds"),
    page!("schema-violation"),
    page!("stale-schema"),
    page!("type-mismatch"),
    page!("undecided-validation"),
    page!("undeclared-output"),
    page!("undeclared-reference"),
    page!("undeclared-variable"),
    page!("unknown-attribute"),
    page!("unreadable-file"),
    page!("unreadable-input"),
    page!("unsupported-argument"),
    page!("unsupported-version"),
    page!("untranslated-validation"),
    page!("unused-suppression"),
    page!("weakened-validation"),
];

/// The page of a rule.
pub(super) fn page(id: &str) -> Option<&'static str> {
    PAGES.binary_search_by(|it| it.0.cmp(id)).ok().and_then(|it| PAGES.get(it)).map(|it| it.1)
}
