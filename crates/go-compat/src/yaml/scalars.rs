//! TODO

use crate::{
    GoError,
    yaml::cursor::{Cursor, ScalarStyle, Token, is_break},
};

// Scalars in single or double quotes.

pub(super) fn scan_quoted(cursor: &mut Cursor<'_>) -> Result<Token, GoError> {
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

// Scalars without quotes.

/// The scalar, and whether it goes to the end of its line. `indent`: the column of the block around.
pub(super) fn scan_plain(
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

// Scalars of whole lines, behind `|` or `>`.

/// What becomes of the last line's end and the empty lines behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

/// `indent`: the column of the block around.
pub(super) fn scan_block(cursor: &mut Cursor<'_>, indent: isize) -> Result<Token, GoError> {
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

// White space inside plain and quoted scalars: line ends become a space or the empty lines between.

/// White space between two parts of a scalar.
#[derive(Default)]
pub(super) struct Gap {
    spaces: String,
    /// The first line's end, and those of the empty lines that follow.
    first: &'static str,
    breaks: String,
    /// Whether it contains a line end.
    pub is_broken: bool,
}

impl Gap {
    /// The gap behind an escaped line end, which counts as nothing.
    pub fn behind_escape() -> Gap {
        Gap { is_broken: true, ..Gap::default() }
    }

    /// Takes a blank or a line end; white space at the end and the beginning of a line is ignored.
    pub fn take(&mut self, cursor: &mut Cursor<'_>) {
        if !cursor.is_at_break() {
            let blank = cursor.next();
            self.spaces.extend(blank.filter(|_| !self.is_broken));
        } else if self.is_broken {
            self.breaks.push_str(cursor.take_break());
        } else {
            self.spaces.clear();
            self.first = cursor.take_break();
            self.is_broken = true;
        }
    }

    /// Writes the text that the gap counts as.
    pub fn write(self, text: &mut String) {
        match self.first {
            "\n" if self.breaks.is_empty() => text.push(' '),
            "\n" => text.push_str(&self.breaks),
            first => {
                text.push_str(&self.spaces);
                text.push_str(first);
                text.push_str(&self.breaks);
            }
        }
    }
}
