//! Anchors, tags and directives.

use super::cursor::{Cursor, Token, is_word};
use crate::GoError;

/// A name behind `&` or `*`.
pub(super) fn anchor(cursor: &mut Cursor<'_>) -> Result<String, GoError> {
    cursor.next();
    let name = cursor.take_while(is_word);
    let follows = cursor.is_at_gap() || cursor.peek().is_some_and(|it| "?:,]}%@`".contains(it));
    if name.is_empty() || !follows {
        return Err(GoError::new(
            "the name of an anchor can contain only letters, digits, _ and -",
        ));
    }
    Ok(name.to_owned())
}

pub(super) fn tag(cursor: &mut Cursor<'_>) -> Result<Token, GoError> {
    let (handle, suffix) = if cursor.peek_at(1) == Some('<') {
        cursor.skip(2);
        let suffix = uri(cursor, "")?;
        if cursor.next() != Some('>') {
            return Err(GoError::new("a tag in <> is not closed"));
        }
        (String::new(), suffix)
    } else {
        let handle = handle(cursor)?;
        if handle.len() > 1 && handle.ends_with('!') {
            (handle, uri(cursor, "")?)
        } else {
            let suffix = uri(cursor, &handle)?;
            if suffix.is_empty() {
                (String::new(), "!".to_owned())
            } else {
                ("!".to_owned(), suffix)
            }
        }
    };
    if !cursor.is_at_gap() {
        return Err(GoError::new("only white space can follow a tag"));
    }
    Ok(Token::Tag(handle, suffix))
}

/// `!`, `!!` or `!name!`; or the beginning of a tag that is all suffix.
fn handle(cursor: &mut Cursor<'_>) -> Result<String, GoError> {
    if cursor.next() != Some('!') {
        return Err(GoError::new("a tag begins with !"));
    }
    let mut handle = format!("!{}", cursor.take_while(is_word));
    if cursor.is_at('!') {
        handle.extend(cursor.next());
    }
    Ok(handle)
}

/// The part of a tag that is not a handle. `head` was read already, with its `!`.
fn uri(cursor: &mut Cursor<'_>, head: &str) -> Result<String, GoError> {
    let mut bytes = head.strip_prefix('!').unwrap_or_default().as_bytes().to_vec();
    let start = cursor.index;
    while let Some(char) = cursor.peek() {
        if char == '%' {
            cursor.next();
            let mut digit = || cursor.next().and_then(|it| it.to_digit(16));
            let code =
                digit().zip(digit()).and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
            bytes.push(code.ok_or_else(|| GoError::new("% needs two hexadecimal digits"))?);
        } else if is_word(char) || ";/?:@&=+$,.!~*'()[]".contains(char) {
            cursor.next();
            bytes.push(u8::try_from(char).unwrap_or_default());
        } else {
            break;
        }
    }
    if head.is_empty() && cursor.index == start {
        return Err(GoError::new("a tag is empty"));
    }
    String::from_utf8(bytes).map_err(|_| GoError::new("a tag is not UTF-8"))
}

/// `%YAML` or `%TAG`, to the end of its line.
pub(super) fn directive(cursor: &mut Cursor<'_>) -> Result<Token, GoError> {
    cursor.next();
    let token = match cursor.take_while(is_word) {
        "YAML" => {
            cursor.skip_blanks();
            Token::Version(cursor.take_while(|it| it.is_ascii_digit() || it == '.').to_owned())
        }
        "TAG" if cursor.is_at_gap() => tag_directive(cursor)?,
        name => return Err(GoError(format!("unknown directive {name:?}"))),
    };
    cursor.skip_blanks();
    if cursor.is_at('#') {
        cursor.take_line();
    }
    if !cursor.is_at_line_end() {
        return Err(GoError::new("unexpected text after a directive"));
    }
    cursor.take_break();
    Ok(token)
}

fn tag_directive(cursor: &mut Cursor<'_>) -> Result<Token, GoError> {
    cursor.skip_blanks();
    let handle = handle(cursor)?;
    if handle != "!" && !(handle.len() > 1 && handle.ends_with('!')) {
        return Err(GoError::new("a tag's handle ends with !"));
    }
    if !cursor.is_at_blank() {
        return Err(GoError::new("a tag's prefix is missing"));
    }
    cursor.skip_blanks();
    let prefix = uri(cursor, "")?;
    if !cursor.is_at_gap() {
        return Err(GoError::new("only white space can follow the prefix of a tag"));
    }
    Ok(Token::TagDirective(handle, prefix))
}
