//! Text: cases, formats, regular expressions, splitting and joining.

mod affix;
mod case;
mod format;
mod graphemes;
mod indent;
mod join;
mod regex;
mod replace;
mod split;
mod templatestring;
mod trim;

use super::{Failure, Function};
use crate::value::Value;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    trim::CHOMP,
    affix::ENDSWITH,
    format::FORMAT,
    format::FORMATLIST,
    indent::INDENT,
    join::JOIN,
    case::LOWER,
    regex::REGEX,
    regex::REGEXALL,
    replace::REPLACE,
    split::SPLIT,
    affix::STARTSWITH,
    affix::STRCONTAINS,
    graphemes::STRREV,
    graphemes::SUBSTR,
    templatestring::TEMPLATESTRING,
    case::TITLE,
    trim::TRIM,
    trim::TRIMPREFIX,
    trim::TRIMSPACE,
    trim::TRIMSUFFIX,
    case::UPPER,
];

/// The text of an argument that is declared a string, known and not null.
fn text(args: &[Value], index: usize) -> &str {
    args.get(index).and_then(Value::as_str).unwrap_or_default()
}

/// An argument that Go's implementation takes as an `int`.
fn integer(args: &[Value], index: usize) -> Result<i64, Failure> {
    let number = args.get(index).and_then(Value::as_number);
    number.and_then(|it| it.to_i64()).ok_or_else(|| {
        let (least, most) = (i64::MIN, i64::MAX);
        Failure::call(format!("value must be a whole number, between {least} and {most}"))
    })
}
