//! What other HCL parsers for Rust get wrong, each as one test.

use diagnostics::{Diagnostics, FileId};
use hcl::{ExprKind, parse_body, parse_expression};
use serde_json::{Value, json};

use super::tree;
use crate::scaling::assert_linear;

fn body(text: &str) -> (Value, Diagnostics) {
    let (body, diagnostics) = parse_body(FileId::default(), text.as_bytes());
    (tree::body(&body), diagnostics)
}

fn diagnostics(text: &str) -> Diagnostics {
    parse_body(FileId::default(), text.as_bytes()).1
}

fn accepts(text: &str) {
    assert_eq!(diagnostics(text), [], "{text:?}");
}

fn refuses(text: &str) {
    assert!(!diagnostics(text).is_empty(), "{text:?}");
}

/// The text of the only attribute's string.
fn string(text: &str) -> String {
    let (body, diagnostics) = parse_body(FileId::default(), text.as_bytes());
    assert_eq!(diagnostics, [], "{text:?}");
    let hcl::Item::Attribute(attribute) = &body.items[0] else { panic!("{text:?}") };
    let ExprKind::String(text) = &attribute.value.kind else { panic!("{:?}", attribute.value) };
    text.to_string()
}

#[test]
fn duplicate_object_keys_are_kept() {
    accepts("a = { b = 1, b = 2 }\n");
}

#[test]
fn line_ends_in_the_value_of_an_object_for_are_ignored() {
    accepts("a = {for x in y : x => x\n? 1\n: 2}\n");
}

#[test]
fn an_empty_heredoc_ends_where_it_ends() {
    assert_eq!(string("a = <<EOT\nEOT\n"), "");
    assert_eq!(body("a = <<EOT\nEOT\nb = 1\n").0.as_array().map(Vec::len), Some(2));
}

#[test]
fn the_marker_ends_a_heredoc_only_alone_on_its_line() {
    assert_eq!(string("a = <<EOT\nEOT bar\nEOT\n"), "EOT bar\n");
    refuses("a = <<EOT\nfoo\nEOT");
}

#[test]
fn flush_heredocs_lose_the_common_indentation_and_nothing_else() {
    let (tree, _) = body("a = <<-EOT\n    key: 1\n      deep ${v}\n      more\n    EOT\n");
    assert_eq!(tree[0][4][3][0][3], "key: 1\n  deep ");
    assert_eq!(tree[0][4][3][2][3], "\n  more\n");
    assert_eq!(string("a = <<-EOT\r\n  a\r\n \r\n   b\r\n  EOT\r\n"), "a\r\n \r\n b\r\n");
}

#[test]
fn a_quoted_string_ends_on_its_line() {
    let (_, diagnostics) = body("a = \"x\nb = \"y\"\n");
    assert_eq!(diagnostics[0].span().unwrap().range(), 6..7);
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn escapes_count_inside_directives() {
    let (tree, _) = body("a = \"%{ if x }b\\n\\\"c%{ endif }\"\n");
    assert_eq!(tree[0][4][3][0][4][0][3], "b\n\"c");
}

#[test]
fn wrong_numbers_indexes_and_labels_are_refused() {
    for text in ["1.2.3", "a.0.1", "a.*.*", "[for]"] {
        let (_, diagnostics) = parse_expression(FileId::default(), text.as_bytes(), 0);
        assert!(!diagnostics.is_empty(), "{text}");
    }
    refuses("a \"b\nc\" {\n}\n");
}

#[test]
fn numbers_have_no_size() {
    for text in ["1e400", "a.01", "a.18446744073709551616", "123456789012345678901234567890.5"] {
        let (_, diagnostics) = parse_expression(FileId::default(), text.as_bytes(), 0);
        assert_eq!(diagnostics, [], "{text}");
    }
}

#[test]
fn nesting_goes_deeper_than_64_and_has_an_end() {
    let nested = |levels: usize| format!("a = {}1{}\n", "[".repeat(levels), "]".repeat(levels));
    accepts(&nested(1_000));
    assert_eq!(diagnostics(&nested(100_000))[0].summary, "Nested too deeply");
    let chain = format!("a = b{}\n", ".c".repeat(100_000));
    let (body, diagnostics) = parse_body(FileId::default(), chain.as_bytes());
    assert_eq!(diagnostics, []);
    assert!(body.clone() == body);
    accepts(&format!("a = 1{}\n", " + 1".repeat(100_000)));
}

#[test]
fn a_byte_order_mark_is_allowed() {
    accepts("\u{feff}a = 1\n");
}

#[test]
fn minus_binds_weaker_than_a_step() {
    let (expr, _) = parse_expression(FileId::default(), b"-1.foo", 0);
    let expected = json!(["un", 0, 6, "-", ["get", 1, 6, ["num", 1, 2, "1"], "foo"]]);
    assert_eq!(tree::expr(&expr), expected);
}

#[test]
fn strings_are_in_nfc() {
    assert_eq!(string("a = \"e\u{301}\"\n"), "\u{e9}");
}

#[test]
fn many_keys_take_no_time() {
    use std::fmt::Write as _;
    assert_linear(4_000, |parts| {
        let mut text = String::from("a = {\n");
        for at in 0..parts {
            writeln!(text, "  key_{at} = {at}").unwrap();
        }
        accepts(&format!("{text}}}\n"));
        accepts(&text.replacen("a = {", "", 1));
    });
}
