//! The comments of a file, which the tree does not hold.

use std::ops::Range;

use super::{
    lexer::{Start, scan},
    token::{Token, TokenKind},
};

/// What a file in native syntax has beside its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// Comments with their markers, in source order; a line comment without its line end.
    pub comments: Vec<Range<usize>>,
    /// Where tokens begin, line ends left out, in source order.
    pub tokens: Vec<usize>,
    /// Blocks called `variable` at the top of the file, from the first byte to the closing brace.
    pub variables: Vec<Range<usize>>,
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
    found.variables = variables(bytes, &tokens);
    found
}

/// Comments of a stretch that has nothing else but white space.
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

fn variables(bytes: &[u8], tokens: &[Token]) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, None);
    for token in tokens {
        match token.kind {
            TokenKind::OpenBrace => depth += 1,
            TokenKind::CloseBrace => {
                depth = depth.saturating_sub(1);
                if let (0, Some(start)) = (depth, start) {
                    found.push(start..token.range().end);
                }
                start = start.filter(|_| depth > 0);
            }
            TokenKind::Ident if depth == 0 && start.is_none() => {
                let is_variable = bytes.get(token.range()) == Some(b"variable");
                start = is_variable.then_some(token.range().start);
            }
            TokenKind::Newline if depth == 0 => start = None,
            _ => (),
        }
    }
    found
}
