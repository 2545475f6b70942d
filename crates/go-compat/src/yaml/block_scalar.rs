//! Scalars of whole lines, behind `|` or `>`.

use super::{
    cursor::Cursor,
    token::{ScalarStyle, Token},
};
use crate::GoError;

/// What becomes of the last line's end and the empty lines behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// `indent`: the column of the block around.
pub(super) fn scan(cursor: &mut Cursor<'_>, indent: isize) -> Result<Token, GoError> {
    let folds = cursor.next() == Some('>');
    let (chomping, increment) = header(cursor)?;
    let fixed = increment.map(|it| indent.max(0) + it);
    let mut breaks = String::new();
    let column = empty_lines(cursor, fixed, &mut breaks)?;
    let column = fixed.unwrap_or_else(|| column.max(indent + 1).max(1));
    let mut text = String::new();
    let mut line_end = "";
    let mut was_blank = false;
    while cursor.column.cast_signed() == column && cursor.peek().is_some() {
        let is_blank = cursor.is_at_blank();
        if folds && line_end == "\n" && !was_blank && !is_blank {
            if breaks.is_empty() {
                text.push(' ');
            }
        } else {
            text.push_str(line_end);
        }
        text.push_str(&std::mem::take(&mut breaks));
        was_blank = is_blank;
        text.push_str(cursor.take_line());
        line_end = cursor.take_break();
        empty_lines(cursor, Some(column), &mut breaks)?;
    }
    if chomping != Chomping::Strip {
        text.push_str(line_end);
    }
    if chomping == Chomping::Keep {
        text.push_str(&breaks);
    }
    Ok(Token::Scalar(text, ScalarStyle::Block))
}

/// Chomping and indentation, in either order; then only a comment may follow in the line.
fn header(cursor: &mut Cursor<'_>) -> Result<(Chomping, Option<isize>), GoError> {
    let mut chomping = chomping_indicator(cursor);
    let increment = increment(cursor)?;
    if chomping.is_none() {
        chomping = chomping_indicator(cursor);
    }
    cursor.skip_blanks();
    if cursor.is_at('#') {
        cursor.take_line();
    }
    if !cursor.is_at_line_end() {
        return Err(GoError::new("unexpected text after the indicator of a block scalar"));
    }
    cursor.take_break();
    Ok((chomping.unwrap_or(Chomping::Clip), increment))
}

fn chomping_indicator(cursor: &mut Cursor<'_>) -> Option<Chomping> {
    let chomping = match cursor.peek() {
        Some('+') => Chomping::Keep,
        Some('-') => Chomping::Strip,
        _ => return None,
    };
    cursor.next();
    Some(chomping)
}

fn increment(cursor: &mut Cursor<'_>) -> Result<Option<isize>, GoError> {
    let Some(digit) = cursor.peek().and_then(|it| it.to_digit(10)) else { return Ok(None) };
    if digit == 0 {
        return Err(GoError::new("a block scalar cannot be indented by 0"));
    }
    cursor.next();
    Ok(isize::try_from(digit).ok())
}

/// Goes over empty lines and the indentation of the next one, `indent` columns where that is known;
/// collects the line ends. The column that reaches furthest to the right.
fn empty_lines(
    cursor: &mut Cursor<'_>,
    indent: Option<isize>,
    breaks: &mut String,
) -> Result<isize, GoError> {
    let mut furthest = 0;
    loop {
        let is_left =
            |cursor: &Cursor<'_>| indent.is_none_or(|it| cursor.column.cast_signed() < it);
        while is_left(cursor) && cursor.is_at(' ') {
            cursor.next();
        }
        furthest = furthest.max(cursor.column.cast_signed());
        if is_left(cursor) && cursor.is_at('\t') {
            return Err(GoError::new("a block scalar is indented by a tab"));
        }
        if !cursor.is_at_break() {
            return Ok(furthest);
        }
        breaks.push_str(cursor.take_break());
    }
}
