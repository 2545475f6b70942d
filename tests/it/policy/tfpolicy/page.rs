//! `docs/policy-hcl.md`, executed: every command of the page prints what the page shows.

use testkit::transcript::page;

const PAGE: &str = include_str!("../../../../docs/policy-hcl.md");

#[test]
fn every_command_of_the_page_prints_what_the_page_shows() {
    let (shown, count) = page(PAGE);
    assert!(count >= 3, "{count}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("docs/policy-hcl.md", &shown).unwrap();
    } else {
        assert_eq!(shown, PAGE, "UPDATE=1 rewrites it");
    }
}
