//! Text: cases, formats, regular expressions, splitting and joining.

mod affix;
pub mod case;
mod format;
mod graphemes;
mod indent;
mod join;
mod regex;
mod replace;
mod split;
pub mod templatestring;
mod trim;

use super::{Failure, Function, arguments::whole_number};
use tf_value::Value;

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

/// An argument that Go's implementation reads as an `int`.
fn integer(args: &[Value], index: usize) -> Result<i64, Failure> {
    let Some(number) = args.get(index) else { return Err(Failure::call("argument is missing")) };
    whole_number(number).map_err(Failure::call)
}
