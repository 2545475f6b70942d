//! The parser: a pattern's text to its tree, refusing what Go refuses, in Go's words.
//!
//! The rules are those of Go's `regexp/syntax` with its `Perl` flags. Groups are kept on a stack
//! of frames, so nesting costs no call stack.

use super::{Dialect, limits, sets};
use crate::{
    ast::{Assertion, Ast, Atom, Class, Group, Literal, Node, Repeat},
    class::ClassParser,
    error::{Error, ErrorKind},
    limits::Measured,
};

/// Parses a pattern.
pub(super) fn parse(pattern: &str, dialect: Dialect) -> Result<Ast, Error> {
    let mut parser = Parser::new(pattern, dialect);
    while parser.position < pattern.len() {
        parser.step()?;
    }
    parser.finish()
}

struct Parser<'p> {
    pattern: &'p str,
    dialect: Dialect,
    position: usize,
    flags: Flags,
    names: Vec<Option<String>>,
    outer: Vec<Frame>,
    current: Frame,
    /// Where the operator began that the last step took, if it took one.
    last_repeat: Option<usize>,
}

/// A group that is still open, or the whole pattern.
#[derive(Default)]
struct Frame {
    capture: Option<u32>,
    open: std::ops::Range<usize>,
    /// The flags outside the group.
    flags: Flags,
    alternatives: Vec<Measured>,
    sequence: Vec<Measured>,
}

impl<'p> Parser<'p> {
    fn new(pattern: &'p str, dialect: Dialect) -> Parser<'p> {
        Parser {
            pattern,
            dialect,
            position: 0,
            flags: Flags::default(),
            names: vec![None],
            outer: Vec::new(),
            current: Frame::default(),
            last_repeat: None,
        }
    }

    fn rest(&self) -> &'p str {
        &self.pattern[self.position..]
    }

    /// Takes one token.
    fn step(&mut self) -> Result<(), Error> {
        let last_repeat = self.last_repeat.take();
        let Some(char) = self.rest().chars().next() else { return Ok(()) };
        match char {
            '(' => self.open()?,
            ')' => self.close()?,
            '|' => {
                self.end_alternative()?;
                self.position += 1;
            }
            '^' if self.flags.multi_line => self.assertion(Assertion::StartLine, 1),
            '^' => self.assertion(Assertion::StartText, 1),
            '$' if self.flags.multi_line => self.assertion(Assertion::EndLine, 1),
            '$' => self.assertion(Assertion::EndText, 1),
            '.' => {
                let newline = self.flags.dot_newline;
                self.push(Node::Any { newline }, 1);
            }
            '[' => {
                let class = self.classes().bracketed()?;
                self.class(class);
            }
            '*' => self.repeat(Counts { min: 0, max: None }, 1, last_repeat)?,
            '+' => self.repeat(Counts { min: 1, max: None }, 1, last_repeat)?,
            '?' => self.repeat(Counts { min: 0, max: Some(1) }, 1, last_repeat)?,
            '{' => match counts(self.rest()) {
                Some((counts, length)) => self.counted(counts, length, last_repeat)?,
                None => self.literal('{' as u32, 1),
            },
            '\\' => self.backslash()?,
            char => self.literal(char as u32, char.len_utf8()),
        }
        Ok(())
    }

    fn backslash(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        match rest.as_bytes().get(1) {
            Some(b'A') => self.assertion(Assertion::StartText, 2),
            Some(b'z') => self.assertion(Assertion::EndText, 2),
            Some(b'b') => self.assertion(Assertion::WordBoundary, 2),
            Some(b'B') => self.assertion(Assertion::NotWordBoundary, 2),
            Some(b'C') => return Err(Error::new(ErrorKind::InvalidEscape, &rest[..2])),
            Some(b'Q') => self.quoted(),
            _ => {
                if let Some(class) = self.classes().escape()? {
                    self.class(class);
                } else {
                    let (code, length) = escape(rest)?;
                    self.literal(code, length);
                }
            }
        }
        Ok(())
    }

    /// `\Q…\E`; without `\E` it runs to the end.
    fn quoted(&mut self) {
        self.position += 2;
        let (text, closing) = match self.rest().find(r"\E") {
            Some(length) => (&self.rest()[..length], 2),
            None => (self.rest(), 0),
        };
        for char in text.chars() {
            self.literal(char as u32, char.len_utf8());
        }
        self.position += closing;
    }

    fn literal(&mut self, code: u32, length: usize) {
        let source = self.position..self.position + length;
        let folded = self.flags.fold_case.then(|| sets::fold(&sets::range(code, code)));
        let folded = folded.filter(|it| sets::count(it) > 1);
        self.push(Node::Literal(Literal { atom: Atom { code, source }, folded }), length);
    }

    fn assertion(&mut self, kind: Assertion, length: usize) {
        let source = self.position..self.position + length;
        self.push(Node::Assertion { kind, source }, length);
    }

    fn class(&mut self, class: Class) {
        let length = class.source.len();
        self.push(Node::Class(class), length);
    }

    fn classes(&self) -> ClassParser<'p> {
        let (pattern, position) = (self.pattern, self.position);
        let dialect = self.dialect;
        ClassParser { pattern, dialect, position, fold_case: self.flags.fold_case }
    }

    fn push(&mut self, node: Node, length: usize) {
        self.position += length;
        self.current.sequence.push(limits::leaf(node));
    }

    /// The limits that are about the whole pattern.
    fn whole(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.pattern)
    }

    /// `{n,m}` with its numbers.
    fn counted(
        &mut self,
        counts: Counts,
        length: usize,
        last_repeat: Option<usize>,
    ) -> Result<(), Error> {
        let Counts { min, max } = counts;
        if min > limits::REPEAT || max.is_some_and(|max| max > limits::REPEAT || max < min) {
            return Err(Error::new(ErrorKind::InvalidRepeatSize, &self.rest()[..length]));
        }
        self.repeat(counts, length, last_repeat)
    }

    /// Applies an operator of this length to what was pushed last.
    fn repeat(
        &mut self,
        Counts { min, max }: Counts,
        length: usize,
        last_repeat: Option<usize>,
    ) -> Result<(), Error> {
        let start = self.position;
        let lazy = self.rest()[length..].starts_with('?');
        let end = start + length + usize::from(lazy);
        let operator = &self.pattern[start..end];
        if let Some(previous) = last_repeat {
            let operators = &self.pattern[previous..end];
            return Err(Error::new(ErrorKind::InvalidRepeatOp, operators));
        }
        let Some(body) = self.current.sequence.pop() else {
            return Err(Error::new(ErrorKind::MissingRepeatArgument, operator));
        };
        let greedy = lazy == self.flags.swap_greed;
        let counted = operator.starts_with('{');
        let make = |body| Repeat { min, max, greedy, counted, operator: start..end, body };
        let measured = limits::repeat(body, make).map_err(|kind| match kind {
            ErrorKind::InvalidRepeatSize => Error::new(kind, operator),
            _ => self.whole(kind),
        })?;
        self.current.sequence.push(measured);
        self.position = end;
        self.last_repeat = Some(start);
        Ok(())
    }

    fn open(&mut self) -> Result<(), Error> {
        let (opening, length) = opening(self.rest(), self.flags, self.dialect)?;
        let open = self.position..self.position + length;
        self.position += length;
        let (capture, inner) = match opening {
            Opening::Flags(flags) => {
                self.flags = flags;
                return Ok(());
            }
            Opening::Capture(name) => {
                let index = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
                self.names.push(name.map(str::to_owned));
                (Some(index), self.flags)
            }
            Opening::Group(flags) => (None, flags),
        };
        let frame = Frame { capture, open, flags: self.flags, ..Frame::default() };
        self.outer.push(std::mem::replace(&mut self.current, frame));
        if self.outer.len() > limits::HEIGHT {
            return Err(self.whole(ErrorKind::NestingDepth));
        }
        self.flags = inner;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        let Some(outer) = self.outer.pop() else {
            return Err(self.whole(ErrorKind::UnexpectedParen));
        };
        let body = self.end_group()?;
        let Frame { capture, open, flags, .. } = std::mem::replace(&mut self.current, outer);
        self.flags = flags;
        let group = limits::group(body, |body| Group { capture, open, body });
        self.current.sequence.push(group.map_err(|kind| self.whole(kind))?);
        self.position += 1;
        Ok(())
    }

    fn end_alternative(&mut self) -> Result<(), Error> {
        let sequence = std::mem::take(&mut self.current.sequence);
        let alternative = limits::concat(sequence).map_err(|kind| self.whole(kind))?;
        self.current.alternatives.push(alternative);
        Ok(())
    }

    fn end_group(&mut self) -> Result<Measured, Error> {
        self.end_alternative()?;
        let alternatives = std::mem::take(&mut self.current.alternatives);
        limits::alternate(alternatives).map_err(|kind| self.whole(kind))
    }

    fn finish(mut self) -> Result<Ast, Error> {
        let root = self.end_group()?;
        if !self.outer.is_empty() {
            return Err(self.whole(ErrorKind::MissingParen));
        }
        let size = root.size();
        Ok(Ast { root: root.node, names: self.names, size })
    }
}

/// The numbers of a counted repetition.
#[derive(Clone, Copy)]
struct Counts {
    min: u32,
    max: Option<u32>,
}

/// Reads `{n}`, `{n,}` or `{n,m}` and its length; anything else is a literal brace. Numbers too
/// big to count are just above the limit.
fn counts(text: &str) -> Option<(Counts, usize)> {
    let inside = &text[1..text.find('}')?];
    let length = inside.len() + 2;
    let counts = match inside.split_once(',') {
        None => {
            let min = count(inside)?;
            Counts { min, max: Some(min) }
        }
        Some((min, "")) => Counts { min: count(min)?, max: None },
        Some((min, max)) => Counts { min: count(min)?, max: Some(count(max)?) },
    };
    Some((counts, length))
}

fn count(digits: &str) -> Option<u32> {
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    if digits.is_empty() || leading_zero || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u32::MAX).min(limits::REPEAT + 1))
}

// Escapes for one code point.

/// Reads the escape at the start of `text` (a backslash): its code point and its length in bytes.
/// The code point may be a surrogate.
pub(super) fn escape(text: &str) -> Result<(u32, usize), Error> {
    let mut reader = EscapeReader { text, taken: 1 };
    let Some(letter) = reader.next() else {
        return Err(Error::new(ErrorKind::TrailingBackslash, ""));
    };
    match reader.code_point(letter) {
        Some(code) => Ok((code, reader.taken)),
        None => Err(Error::new(ErrorKind::InvalidEscape, &text[..reader.taken])),
    }
}

/// What has been read is what an error quotes.
struct EscapeReader<'p> {
    text: &'p str,
    taken: usize,
}

impl EscapeReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.taken..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.taken += char.len_utf8();
        Some(char)
    }

    fn code_point(&mut self, letter: char) -> Option<u32> {
        match letter {
            '0' => Some(self.octal(0)),
            '1'..='7' if self.peek().is_some_and(|it| it.is_digit(8)) => {
                Some(self.octal(letter as u32 - '0' as u32))
            }
            'x' => self.hexadecimal(),
            'a' => Some(0x07),
            'f' => Some(0x0C),
            'n' => Some(0x0A),
            'r' => Some(0x0D),
            't' => Some(0x09),
            'v' => Some(0x0B),
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some(letter as u32),
            _ => None,
        }
    }

    /// Up to two more octal digits.
    fn octal(&mut self, first: u32) -> u32 {
        let mut code = first;
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|it| it.to_digit(8)) else { break };
            self.taken += 1;
            code = code * 8 + digit;
        }
        code
    }

    /// `\xHH` or `\x{H…}`, after the `x`.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next()?;
        if first == '{' {
            return self.braced();
        }
        let second = self.next()?;
        Some(first.to_digit(16)? * 16 + second.to_digit(16)?)
    }

    fn braced(&mut self) -> Option<u32> {
        let mut code = None;
        loop {
            let char = self.next()?;
            if char == '}' {
                return code;
            }
            let value = code.unwrap_or(0) * 16 + char.to_digit(16)?;
            if value > 0x0010_FFFF {
                return None;
            }
            code = Some(value);
        }
    }
}

// Flags and the openings of groups.

/// Flags that are on at a place in the pattern.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the syntax")]
pub(super) struct Flags {
    /// `i`
    pub fold_case: bool,
    /// `m`
    pub multi_line: bool,
    /// `s`
    pub dot_newline: bool,
    /// `U`
    pub swap_greed: bool,
}

/// What an opening parenthesis begins.
pub(super) enum Opening<'p> {
    /// `(` or `(?P<name>` or `(?<name>`
    Capture(Option<&'p str>),
    /// `(?:` or `(?i:`: a group with these flags.
    Group(Flags),
    /// `(?i)`: no group, but other flags from here.
    Flags(Flags),
}

/// Reads the opening at the start of `text` and its length in bytes.
pub(super) fn opening(
    text: &str,
    flags: Flags,
    dialect: Dialect,
) -> Result<(Opening<'_>, usize), Error> {
    let Some(inside) = text.strip_prefix("(?") else { return Ok((Opening::Capture(None), 1)) };
    let is_short = dialect.short_names && inside.starts_with('<');
    let name_start = if is_short && inside.len() > 1 {
        Some(3)
    } else if inside.starts_with("P<") && inside.len() > 2 {
        Some(4)
    } else {
        None
    };
    match name_start {
        Some(start) => named(text, start),
        None => flag_group(text, flags),
    }
}

fn named(text: &str, start: usize) -> Result<(Opening<'_>, usize), Error> {
    let Some(end) = text.find('>') else {
        return Err(Error::new(ErrorKind::InvalidNamedCapture, text));
    };
    let name = &text[start..end];
    let valid = |it: u8| it == b'_' || it.is_ascii_alphanumeric();
    if name.is_empty() || !name.bytes().all(valid) {
        return Err(Error::new(ErrorKind::InvalidNamedCapture, &text[..=end]));
    }
    Ok((Opening::Capture(Some(name)), end + 1))
}

fn flag_group(text: &str, mut flags: Flags) -> Result<(Opening<'_>, usize), Error> {
    let mut negative = false;
    let mut saw_flag = false;
    let mut length = 2;
    for char in text[2..].chars() {
        length += char.len_utf8();
        match char {
            'i' => flags.fold_case = !negative,
            'm' => flags.multi_line = !negative,
            's' => flags.dot_newline = !negative,
            'U' => flags.swap_greed = !negative,
            '-' if !negative => {
                negative = true;
                saw_flag = false;
                continue;
            }
            ':' if saw_flag || !negative => return Ok((Opening::Group(flags), length)),
            ')' if saw_flag || !negative => return Ok((Opening::Flags(flags), length)),
            _ => break,
        }
        saw_flag = true;
    }
    Err(Error::new(ErrorKind::InvalidPerlOp, &text[..length]))
}

// The names of Unicode classes that `\p{…}` takes, exactly as Go spells them.

/// General categories.
#[rustfmt::skip]
pub(super) const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Co", "Cs",
    "L", "Ll", "Lm", "Lo", "Lt",
    "Lu", "M", "Mc", "Me", "Mn",
    "N", "Nd", "Nl", "No", "P",
    "Pc", "Pd", "Pe", "Pf", "Pi",
    "Po", "Ps", "S", "Sc", "Sk",
    "Sm", "So", "Z", "Zl", "Zp",
    "Zs",
];

/// Scripts.
#[rustfmt::skip]
pub(super) const SCRIPTS: &[&str] = &[
    "Adlam", "Ahom", "Anatolian_Hieroglyphs", "Arabic", "Armenian",
    "Avestan", "Balinese", "Bamum", "Bassa_Vah", "Batak",
    "Bengali", "Bhaiksuki", "Bopomofo", "Brahmi", "Braille",
    "Buginese", "Buhid", "Canadian_Aboriginal", "Carian", "Caucasian_Albanian",
    "Chakma", "Cham", "Cherokee", "Chorasmian", "Common",
    "Coptic", "Cuneiform", "Cypriot", "Cypro_Minoan", "Cyrillic",
    "Deseret", "Devanagari", "Dives_Akuru", "Dogra", "Duployan",
    "Egyptian_Hieroglyphs", "Elbasan", "Elymaic", "Ethiopic", "Georgian",
    "Glagolitic", "Gothic", "Grantha", "Greek", "Gujarati",
    "Gunjala_Gondi", "Gurmukhi", "Han", "Hangul", "Hanifi_Rohingya",
    "Hanunoo", "Hatran", "Hebrew", "Hiragana", "Imperial_Aramaic",
    "Inherited", "Inscriptional_Pahlavi", "Inscriptional_Parthian", "Javanese", "Kaithi",
    "Kannada", "Katakana", "Kawi", "Kayah_Li", "Kharoshthi",
    "Khitan_Small_Script", "Khmer", "Khojki", "Khudawadi", "Lao",
    "Latin", "Lepcha", "Limbu", "Linear_A", "Linear_B",
    "Lisu", "Lycian", "Lydian", "Mahajani", "Makasar",
    "Malayalam", "Mandaic", "Manichaean", "Marchen", "Masaram_Gondi",
    "Medefaidrin", "Meetei_Mayek", "Mende_Kikakui", "Meroitic_Cursive", "Meroitic_Hieroglyphs",
    "Miao", "Modi", "Mongolian", "Mro", "Multani",
    "Myanmar", "Nabataean", "Nag_Mundari", "Nandinagari", "New_Tai_Lue",
    "Newa", "Nko", "Nushu", "Nyiakeng_Puachue_Hmong", "Ogham",
    "Ol_Chiki", "Old_Hungarian", "Old_Italic", "Old_North_Arabian", "Old_Permic",
    "Old_Persian", "Old_Sogdian", "Old_South_Arabian", "Old_Turkic", "Old_Uyghur",
    "Oriya", "Osage", "Osmanya", "Pahawh_Hmong", "Palmyrene",
    "Pau_Cin_Hau", "Phags_Pa", "Phoenician", "Psalter_Pahlavi", "Rejang",
    "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian",
    "Siddham", "SignWriting", "Sinhala", "Sogdian", "Sora_Sompeng",
    "Soyombo", "Sundanese", "Syloti_Nagri", "Syriac", "Tagalog",
    "Tagbanwa", "Tai_Le", "Tai_Tham", "Tai_Viet", "Takri",
    "Tamil", "Tangsa", "Tangut", "Telugu", "Thaana",
    "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Toto",
    "Ugaritic", "Vai", "Vithkuqi", "Wancho", "Warang_Citi",
    "Yezidi", "Yi", "Zanabazar_Square",
];

/// Long names of general categories with a capital letter only at the beginning, and what they
/// mean.
#[rustfmt::skip]
pub(super) const LONG_CATEGORIES: &[(&str, &str)] = &[
    ("Casedletter", "Lc"),
    ("Closepunctuation", "Pe"),
    ("Combiningmark", "M"),
    ("Connectorpunctuation", "Pc"),
    ("Control", "Cc"),
    ("Currencysymbol", "Sc"),
    ("Dashpunctuation", "Pd"),
    ("Decimalnumber", "Nd"),
    ("Enclosingmark", "Me"),
    ("Finalpunctuation", "Pf"),
    ("Format", "Cf"),
    ("Initialpunctuation", "Pi"),
    ("Letter", "L"),
    ("Letternumber", "Nl"),
    ("Lineseparator", "Zl"),
    ("Lowercaseletter", "Ll"),
    ("Mark", "M"),
    ("Mathsymbol", "Sm"),
    ("Modifierletter", "Lm"),
    ("Modifiersymbol", "Sk"),
    ("Nonspacingmark", "Mn"),
    ("Number", "N"),
    ("Openpunctuation", "Ps"),
    ("Other", "C"),
    ("Otherletter", "Lo"),
    ("Othernumber", "No"),
    ("Otherpunctuation", "Po"),
    ("Othersymbol", "So"),
    ("Paragraphseparator", "Zp"),
    ("Privateuse", "Co"),
    ("Punctuation", "P"),
    ("Separator", "Z"),
    ("Spaceseparator", "Zs"),
    ("Spacingmark", "Mc"),
    ("Surrogate", "Cs"),
    ("Symbol", "S"),
    ("Titlecaseletter", "Lt"),
    ("Unassigned", "Cn"),
    ("Uppercaseletter", "Lu"),
    ("Cntrl", "Cc"),
    ("Digit", "Nd"),
    ("Punct", "P"),
];
