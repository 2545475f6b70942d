//! Mistakes that deserve their own message, and reading on after them.

use diagnostics::{Diagnostic, Diagnostics, FileId};
use hcl::{Body, Item, parse_body};

fn parse(text: &str) -> (Body, Diagnostics) {
    parse_body(FileId::default(), text.as_bytes())
}

/// The only diagnostic of the text.
fn only(text: &str) -> Diagnostic {
    let (_, mut diagnostics) = parse(text);
    assert_eq!(diagnostics.len(), 1, "{text:?}: {diagnostics:?}");
    diagnostics.remove(0)
}

fn label<'t>(text: &'t str, diagnostic: &Diagnostic, at: usize) -> &'t str {
    &text[diagnostic.labels[at].span.range()]
}

#[test]
fn a_string_over_a_line_end() {
    let text = "a = \"abc\nb = \"d\"\n";
    let diagnostic = only(text);
    assert_eq!(diagnostic.summary, "String without a closing quote");
    assert_eq!(label(text, &diagnostic, 0), "\n");
    assert_eq!(diagnostic.labels[1].span.range(), 4..5);
    assert!(diagnostic.help.unwrap().contains("heredoc"));
}

#[test]
fn single_quotes() {
    let text = "a = 'abc'\n";
    let diagnostic = only(text);
    assert_eq!(label(text, &diagnostic, 0), "'");
    assert!(diagnostic.help.unwrap().contains("double quotes"));
}

#[test]
fn a_block_with_commas() {
    let text = "variable \"x\" { type = string, default = 1 }\n";
    let diagnostic = only(text);
    assert_eq!(label(text, &diagnostic, 0), ",");
    assert!(diagnostic.help.unwrap().contains("on its own line"));
}

#[test]
fn an_unclosed_block_points_at_its_brace() {
    let text = "variable \"x\" {\n  type = string\n";
    let diagnostic = only(text);
    assert_eq!(diagnostic.summary, "Unclosed block");
    assert_eq!(label(text, &diagnostic, 0), "{");
}

#[test]
fn a_shell_default() {
    let text = "a = \"${VAR:-x}\"\n";
    let diagnostic = only(text);
    assert_eq!(label(text, &diagnostic, 0), ":");
    assert!(diagnostic.help.unwrap().contains("$${"));
}

#[test]
fn several_errors_of_one_file() {
    let text = "\
variable \"a\" {
  type    = strin g
  default = 1
}
variable \"b\" {
  default = \"no end
  type    = string
}
resource \"x\" \"y\" {
  list = [1, 2
}
variable \"c\" {
  default = @
}
variable \"d\" {
  default = 3
}
";
    let (body, diagnostics) = parse(text);
    let mut lines: Vec<usize> = diagnostics
        .iter()
        .map(|it| text[..it.span().unwrap().start as usize].matches('\n').count() + 1)
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, [2, 6, 11, 13], "{diagnostics:?}");
    let last = body.items.last().unwrap();
    let Item::Block(block) = last else { panic!("{last:?}") };
    assert_eq!(block.labels[0].text, "d");
}

#[test]
fn an_unclosed_bracket_does_not_hide_the_next_block() {
    let (body, diagnostics) = parse("a {\n  b = f(1\n}\nc \"d\" {\n  e = \n}\nf {\n}\n");
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
    let kinds: Vec<_> = body
        .items
        .iter()
        .map(|it| match it {
            Item::Block(it) => it.kind.name.as_str(),
            Item::Attribute(it) => it.name.name.as_str(),
        })
        .collect();
    assert_eq!(kinds, ["a", "c", "f"]);
}

#[test]
fn an_indented_line_behind_an_unclosed_bracket_begins_no_item() {
    let (body, diagnostics) = parse("a = [1, 2\n  b = 3\n  c = 4 4\nd = 5\n");
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    let [Item::Attribute(first), Item::Attribute(last)] = &body.items[..] else {
        panic!("{body:?}")
    };
    assert_eq!([&first.name.name, &last.name.name], ["a", "d"]);
}
