//! The comments of a file, which are not part of the tree.

use std::ops::Range;

use super::{
    lexer::{Start, scan},
    token::{Token, TokenKind},
};

/// The parts of a file in native syntax that its tree leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// Comments with their markers, in source order; a line comment without its line end.
    pub comments: Vec<Range<usize>>,
    /// The starts of all tokens but line ends, in source order.
    pub tokens: Vec<usize>,
    /// The ranges from a bracket, quote or heredoc marker to its partner, both included, sorted by their
    /// starts.
    pub groups: Vec<Range<usize>>,
}

/// Whether a byte of a file in native syntax is in an expression or a body, and not in a text or a comment. The file need
/// not be valid.
pub fn is_code(bytes: &[u8], offset: usize) -> bool {
    let tokens = scan(bytes, Start::Expression);
    let before = tokens.partition_point(|it| (it.start as usize) < offset);
    let before = before.checked_sub(1).and_then(|it| tokens.get(it));
    let end = before.map_or(0, |it| it.end as usize);
    if let Some(it) = before.filter(|_| offset <= end) {
        use TokenKind as Kind;
        return match it.kind {
            // A comment is part of the line end after it.
            Kind::Newline => offset == end,
            Kind::OpenQuote | Kind::QuotedText | Kind::QuotedNewline | Kind::PlainText => false,
            Kind::OpenHeredoc | Kind::CloseHeredoc | Kind::SequenceEnd => false,
            _ => true,
        };
    }
    let mut comments = Vec::new();
    let next = tokens.iter().find(|it| it.start as usize >= offset);
    in_gap(bytes, end..next.map_or(bytes.len(), |it| it.start as usize), &mut comments);
    comments.iter().all(|it| !(it.start < offset && offset <= it.end))
}

/// Scans a file in native syntax; it need not be valid.
pub fn comments(bytes: &[u8]) -> Comments {
    let tokens = scan(bytes, Start::Expression);
    let mut found = Comments::default();
    let mut end = 0;
    for token in &tokens {
        let range = token.range();
        in_gap(bytes, end..range.start, &mut found.comments);
        match token.kind {
            TokenKind::Newline => in_gap(bytes, range.clone(), &mut found.comments),
            TokenKind::End => (),
            _ => found.tokens.push(range.start),
        }
        end = range.end;
    }
    found.groups = groups(&tokens);
    found
}

/// Collects the comments of a stretch that otherwise holds only white space.
fn in_gap(bytes: &[u8], gap: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(text) = bytes.get(gap.clone()) else { return };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        let is_line = rest.starts_with(b"#") || rest.starts_with(b"//");
        let length = if is_line {
            memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            memchr::memmem::find(rest, b"*/").map_or(rest.len(), |it| it + 2)
        } else {
            at += 1;
            continue;
        };
        found.push(gap.start + at..gap.start + at + length);
        at += length;
    }
}

fn groups(tokens: &[Token]) -> Vec<Range<usize>> {
    use TokenKind as Kind;
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for token in tokens {
        let range = token.range();
        match token.kind {
            Kind::OpenBrace
            | Kind::OpenBracket
            | Kind::OpenParen
            | Kind::OpenQuote
            | Kind::OpenHeredoc
            | Kind::Interpolation
            | Kind::Directive => open.push(range.start),
            Kind::CloseBrace
            | Kind::CloseBracket
            | Kind::CloseParen
            | Kind::CloseQuote
            | Kind::CloseHeredoc
            | Kind::SequenceEnd => found.extend(open.pop().map(|start| start..range.end)),
            _ => (),
        }
    }
    found.sort_unstable_by_key(|it| it.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_comments_are_not_code() {
        for (text, expected) in [
            ("|", true),
            ("a = v|", true),
            ("a = \"x|\"", false),
            ("a = \"|\"", false),
            ("a = \"${v|}\"", true),
            ("a = \"${v|", true),
            ("a = \"${v}|\"", false),
            ("a = <<E\n  x|\nE\n", false),
            ("a = <<E\n  ${x|}\nE\n", true),
            ("# v|", false),
            ("a = 1 # v|\n", false),
            ("a = 1 # v\n|", true),
            ("a = /* v| */ 1", false),
            ("a = 1 |", true),
        ] {
            let offset = text.find('|').unwrap();
            let found = is_code(text.replacen('|', "", 1).as_bytes(), offset);
            assert_eq!(found, expected, "{text}");
        }
    }
}
