//! Scalars in single or double quotes.

use super::{
    cursor::{Cursor, is_break},
    folding::Gap,
    token::{ScalarStyle, Token},
};
use crate::GoError;

pub(super) fn scan(cursor: &mut Cursor<'_>) -> Result<Token, GoError> {
    let is_single = cursor.is_at('\'');
    let quote = if is_single { '\'' } else { '"' };
    cursor.next();
    let mut text = String::new();
    loop {
        if cursor.is_at_any_document() {
            return Err(GoError::new("the document ends inside of quotes"));
        }
        let mut gap = Gap::default();
        while !cursor.is_at_gap() {
            match (cursor.peek(), cursor.peek_at(1)) {
                (Some('\''), Some('\'')) if is_single => {
                    text.push('\'');
                    cursor.skip(2);
                }
                (Some(it), _) if it == quote => break,
                (Some('\\'), next) if !is_single && is_break(next) => {
                    cursor.skip(1);
                    cursor.take_break();
                    gap = Gap::behind_escape();
                    break;
                }
                (Some('\\'), _) if !is_single => text.push(escape(cursor)?),
                _ => text.extend(cursor.next()),
            }
        }
        match cursor.peek() {
            None => return Err(GoError::new("quotes are not closed")),
            Some(it) if it == quote => break,
            Some(_) => (),
        }
        while cursor.is_at_blank() || cursor.is_at_break() {
            gap.take(cursor);
        }
        gap.write(&mut text);
    }
    cursor.next();
    Ok(Token::Scalar(text, ScalarStyle::Quoted))
}

fn escape(cursor: &mut Cursor<'_>) -> Result<char, GoError> {
    cursor.next();
    let digits = match cursor.peek() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        it => {
            cursor.next();
            return it.and_then(meaning).ok_or_else(|| GoError::new("unknown escape sequence"));
        }
    };
    cursor.next();
    let mut code = 0;
    for _ in 0..digits {
        let digit = cursor.next().and_then(|it| it.to_digit(16));
        let digit = digit.ok_or_else(|| GoError::new("an escape needs hexadecimal digits"))?;
        code = code << 4 | digit;
    }
    char::from_u32(code).ok_or_else(|| GoError::new("an escape is not a valid character"))
}

fn meaning(escape: char) -> Option<char> {
    Some(match escape {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        ' ' | '"' | '\'' | '\\' => escape,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
