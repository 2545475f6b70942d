//! Scalars without quotes.

use super::{
    cursor::Cursor,
    folding::Gap,
    token::{ScalarStyle, Token},
};
use crate::GoError;

/// The scalar, and whether it goes to the end of its line. `indent`: the column of the block around.
pub(super) fn scan(
    cursor: &mut Cursor<'_>,
    indent: isize,
    is_in_flow: bool,
) -> Result<(Token, bool), GoError> {
    let mut text = String::new();
    let mut gap = Gap::default();
    while !cursor.is_at_any_document() && !cursor.is_at('#') {
        let mut gap_before = Some(std::mem::take(&mut gap));
        while !cursor.is_at_gap() && !is_at_end(cursor, is_in_flow) {
            if let Some(gap) = gap_before.take() {
                gap.write(&mut text);
            }
            text.extend(cursor.next());
        }
        gap = gap_before.unwrap_or_default();
        if !cursor.is_at_blank() && !cursor.is_at_break() {
            break;
        }
        while cursor.is_at_blank() || cursor.is_at_break() {
            let is_left = cursor.column.cast_signed() <= indent;
            if gap.is_broken && is_left && cursor.is_at('\t') {
                return Err(GoError::new("a line is indented by a tab"));
            }
            gap.take(cursor);
        }
        if !is_in_flow && cursor.column.cast_signed() <= indent {
            break;
        }
    }
    Ok((Token::Scalar(text, ScalarStyle::Plain), gap.is_broken))
}

fn is_at_end(cursor: &Cursor<'_>, is_in_flow: bool) -> bool {
    match cursor.peek() {
        Some(':') => cursor.has_gap_at(1),
        Some(',' | '?' | '[' | ']' | '{' | '}') => is_in_flow,
        _ => false,
    }
}
