//! Text: cases, formats, regular expressions, splitting and joining.

mod format;

use std::{
    collections::{BTreeMap, HashSet},
    rc::Rc,
};

use super::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, grapheme_count,
    graphemes, whole_number,
};
use diagnostics::Sources;
use hcl::{is_too_deep, parse_template};
use re2::{Dialect, ErrorKind, Groups, Regex};
use release::Release;
use smol_str::SmolStr;
use tf_value::{Type, Value, convert};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    CHOMP,
    ENDSWITH,
    format::FORMAT,
    format::FORMATLIST,
    INDENT,
    JOIN,
    LOWER,
    REGEX,
    REGEXALL,
    REPLACE,
    SPLIT,
    STARTSWITH,
    STRCONTAINS,
    STRREV,
    SUBSTR,
    TEMPLATESTRING,
    TITLE,
    TRIM,
    TRIMPREFIX,
    TRIMSPACE,
    TRIMSUFFIX,
    UPPER,
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

// `startswith`, `endswith`, `strcontains`: plain comparison of bytes, without regard to graphemes.

const STARTSWITH: Function = Function::pure(
    "startswith",
    "Whether a string begins with a prefix.",
    &[STR.unknown(), Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    startswith,
)
.refuses(Refuses::Nothing);

/// Whether the text has the prefix; the known beginning of an unknown text may decide.
fn startswith(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let prefix = text(args, 1);
    let known = match args.first().and_then(Value::refinements) {
        Some(it) => it.prefix.as_str(),
        None => text(args, 0),
    };
    let is_known = args.first().is_none_or(Value::is_known);
    if !is_known && known.len() < prefix.len() {
        return Ok(Value::unknown_not_null(Type::Bool));
    }
    Ok(Value::bool(known.starts_with(prefix)))
}

const ENDSWITH: Function = Function::pure(
    "endswith",
    "Whether a string ends with a suffix.",
    &[STR, Param::new("suffix", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(Value::bool(text(args, 0).ends_with(text(args, 1)))),
)
.refuses(Refuses::Nothing);

const STRCONTAINS: Function = Function::pure(
    "strcontains",
    "Whether a string contains another one.",
    &[STR, Param::new("substr", Ty::String)],
    ReturnType::Fixed(Ty::Bool),
    |_, args, _| Ok(Value::bool(text(args, 0).contains(text(args, 1)))),
)
.refuses(Refuses::Nothing);

// `lower`, `upper`, `title`: map each code point by itself, with the mappings of Unicode 15.0 that keep
// the number of code points, like Go's `unicode`.

const STR: Param = Param::new("str", Ty::String);

pub const LOWER: Function = Function::pure(
    "lower",
    "Converts all letters to lowercase.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(mapped(text(args, 0), lower)),
)
.refuses(Refuses::Nothing);

pub const UPPER: Function = Function::pure(
    "upper",
    "Converts all letters to uppercase.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(mapped(text(args, 0), upper)),
)
.refuses(Refuses::Nothing);

const TITLE: Function = Function::pure(
    "title",
    "Converts the first letter of each word to title case.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let mut previous = ' ';
        let capitalized = |it| {
            let first = separates(std::mem::replace(&mut previous, it));
            if first { title(it) } else { it }
        };
        Ok(Value::string(text(args, 0).chars().map(capitalized).collect::<String>()))
    },
)
.refuses(Refuses::Nothing);

fn mapped(text: &str, map: fn(char) -> char) -> Value {
    Value::string(text.chars().map(map).collect::<String>())
}

/// The lower-case form of a letter, where it is one code point.
pub fn lower(char: char) -> char {
    match char {
        'İ' => 'i',
        _ => one(char, char.to_lowercase()),
    }
}

/// The upper-case form of a letter, where it is one code point.
pub fn upper(char: char) -> char {
    match char {
        // Letters with iota subscript; Rust writes them with a capital iota.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            char::from_u32(char as u32 + 8).unwrap_or(char)
        }
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(char as u32 + 9).unwrap_or(char),
        _ => one(char, char.to_uppercase()),
    }
}

fn title(char: char) -> char {
    match char {
        'Ǆ' | 'ǅ' | 'ǆ' => 'ǅ',
        'Ǉ' | 'ǈ' | 'ǉ' => 'ǈ',
        'Ǌ' | 'ǋ' | 'ǌ' => 'ǋ',
        'Ǳ' | 'ǲ' | 'ǳ' => 'ǲ',
        // Georgian letters have capitals, but a Georgian word does not begin with one.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => char,
        _ => upper(char),
    }
}

/// The mapping when it is a single code point; both sides must be in Unicode 15.0.
fn one(char: char, mut mapping: impl Iterator<Item = char>) -> char {
    match (mapping.next(), mapping.next()) {
        (Some(to), None) if !is_newer(char) && !is_newer(to) => to,
        _ => char,
    }
}

/// Cased letters that came after Unicode 15.0.
fn is_newer(char: char) -> bool {
    matches!(u32::from(char),
        0x1c89..=0x1c8a | 0xa7cb..=0xa7cf | 0xa7d2 | 0xa7d4 | 0xa7da..=0xa7dc
        | 0x10d50..=0x10d85 | 0x16ea0..=0x16ed3)
}

/// Whether a word may begin behind the character: in ASCII after all but letters, digits and `_`,
/// otherwise after white space only.
fn separates(char: char) -> bool {
    if char.is_ascii() {
        return !char.is_ascii_alphanumeric() && char != '_';
    }
    char.is_whitespace()
}

// `strrev` and `substr`, which work on grapheme clusters.

const STRREV: Function = Function::pure(
    "strrev",
    "Reverses the order of a string's characters.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let mut clusters: Vec<&str> = graphemes(text(args, 0)).collect();
        clusters.reverse();
        Ok(Value::string(clusters.concat()))
    },
)
.refuses(Refuses::Nothing);

const SUBSTR: Function = Function::pure(
    "substr",
    "Returns a part of a string by offset and length in characters.",
    &[
        Param::new("str", Ty::String),
        Param::new("offset", Ty::Number),
        Param::new("length", Ty::Number),
    ],
    ReturnType::Fixed(Ty::String),
    substr,
)
.refuses(Refuses::By(unless_whole));

fn unless_whole(_: Release, args: &[Value], _: &Type) -> Refuses {
    let numbers = args.get(1..).unwrap_or_default();
    match () {
        () if numbers.iter().any(|it| it.is_known() && whole_number(it).is_err()) => {
            Refuses::Everything
        }
        () if numbers.iter().all(Value::is_known) => Refuses::Nothing,
        () => Refuses::SomeValues,
    }
}

/// A negative offset counts from the end. A negative length takes the rest, and so does the length zero
/// with a negative offset.
fn substr(_: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let str = text(args, 0);
    let (offset, length) = (integer(args, 1)?, integer(args, 2)?);
    let skipped = if offset < 0 {
        let total = i64::try_from(grapheme_count(str)).unwrap_or(i64::MAX);
        offset.saturating_add(total).max(0)
    } else {
        offset
    };
    let all = length < 0 || (length == 0 && offset < 0);
    let rest = graphemes(str).skip(usize::try_from(skipped).unwrap_or(usize::MAX));
    let part: String = if all {
        rest.collect()
    } else {
        rest.take(usize::try_from(length).unwrap_or(usize::MAX)).collect()
    };
    Ok(Value::string(part))
}

const INDENT: Function = Function::pure(
    "indent",
    "Adds spaces before every line except the first.",
    &[Param::new("spaces", Ty::Number), Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |context, args, _| {
        let Ok(spaces) = usize::try_from(integer(args, 0)?) else {
            return Err(Failure::call("the number of spaces must not be negative"));
        };
        let str = text(args, 1);
        let lines = str.bytes().filter(|&it| it == b'\n').count();
        context.host.spend(lines as u64 + (lines as u64).saturating_mul(spaces as u64) / 16)?;
        if lines == 0 {
            return Ok(Value::string(str));
        }
        Ok(Value::string(str.replace('\n', &format!("\n{}", " ".repeat(spaces)))))
    },
);

const JOIN: Function = Function::pure(
    "join",
    "Joins the elements of lists with a separator.",
    &[Param::new("separator", Ty::String)],
    ReturnType::Fixed(Ty::String),
    join,
)
.variadic(Param::new("lists", Ty::List(&Ty::String)));

fn join(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let separator = text(args, 0);
    let Some(lists) = args.get(1..).filter(|it| !it.is_empty()) else {
        return Err(Failure::call("at least one list is required"));
    };
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let mut joined = String::new();
    let mut first = true;
    for (list_index, list) in lists.iter().enumerate() {
        for (index, element) in list.as_sequence().unwrap_or_default().iter().enumerate() {
            let Some(element) = element.as_str() else {
                let of = if lists.len() > 1 { of_list(list_index) } else { String::new() };
                let message =
                    format!("element {index}{of} is null; cannot concatenate null values");
                return Err(Failure::argument(list_index + 1, message));
            };
            if !std::mem::take(&mut first) {
                joined.push_str(separator);
            }
            context.host.spend((separator.len() + element.len()) as u64 / 16)?;
            joined.push_str(element);
        }
    }
    Ok(Value::string(joined))
}

fn of_list(index: usize) -> String {
    format!(" of list {}", index + 1)
}

const PARAMS: &[Param] = &[Param::new("pattern", Ty::String), Param::new("string", Ty::String)];

const REGEX: Function = Function::pure(
    "regex",
    "Returns the first match of a regular expression, or its groups.",
    PARAMS,
    ReturnType::OfRelease(match_type),
    regex,
);

const REGEXALL: Function = Function::pure(
    "regexall",
    "Returns all matches of a regular expression.",
    PARAMS,
    ReturnType::OfRelease(|release, args| match_type(release, args).map(Type::list)),
    regexall,
)
.refuses(Refuses::By(unless_pattern));

/// Refuses nothing for a known pattern, which was parsed for the return type; an unknown one may be
/// malformed.
fn unless_pattern(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_known = args.first().is_some_and(Value::is_known);
    if is_known { Refuses::Nothing } else { Refuses::SomeValues }
}

/// A string without groups, a tuple with groups, an object with named groups.
fn match_type(release: Release, args: &[Value]) -> Result<Type, Failure> {
    match args.first().and_then(Value::as_str) {
        Some(pattern) => {
            let outline = re2::outline(pattern, Dialect::of(release)).map_err(refused)?;
            Shape::of(outline.group_names()).map(|it| it.ty())
        }
        None => Ok(Type::Dynamic),
    }
}

fn regex(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let regex = compile(context.release, text(args, 0))?;
    context.host.spend(search(args, &regex))?;
    let Some(groups) = regex.captures(text(args, 1)) else {
        return Err(Failure::call("pattern did not match any part of the given string"));
    };
    Ok(Shape::of(regex.group_names())?.value(text(args, 1), &groups))
}

fn regexall(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let regex = compile(context.release, text(args, 0))?;
    context.host.spend(search(args, &regex))?;
    let shape = Shape::of(regex.group_names())?;
    let string = text(args, 1);
    let found = regex.try_find_all(string, |units| context.host.spend(units))?;
    context
        .host
        .spend((found.len() as u64).saturating_mul(1 + regex.group_names().len() as u64))?;
    let matches = found.iter().map(|it| shape.value(string, it)).collect();
    Ok(Value::list(shape.ty(), matches))
}

/// The work of a search: that of the pattern, as if it were compiled each time, and that of the text.
fn search(args: &[Value], regex: &Regex) -> u64 {
    let text_work = (text(args, 1).len() as u64).saturating_mul(regex.weight()) / 4;
    text_work.saturating_add(4 * text(args, 0).len() as u64 + regex.memory() / 128)
}

fn compile(release: Release, pattern: &str) -> Result<Rc<Regex>, Failure> {
    re2::cached(pattern, Dialect::of(release)).map_err(refused)
}

fn refused(error: re2::Error) -> Failure {
    match error.kind {
        ErrorKind::Budget => Failure::too_large(error.kind.to_string()),
        kind => {
            let fragment = error.fragment;
            Failure::argument(0, format!("invalid regexp pattern: {kind} in {fragment}"))
        }
    }
}

/// The form in which a match is returned.
enum Shape<'r> {
    Whole,
    Tuple(usize),
    Object(Vec<&'r str>),
}

impl<'r> Shape<'r> {
    fn of(groups: &'r [Option<String>]) -> Result<Shape<'r>, Failure> {
        let given: Vec<&str> = groups.iter().flatten().map(String::as_str).collect();
        match (groups.len(), given.len()) {
            (0, _) => Ok(Shape::Whole),
            (count, 0) => Ok(Shape::Tuple(count)),
            (all, some) if all == some => Ok(Shape::Object(given)),
            _ => {
                let reason = "cannot mix both named and unnamed capture groups";
                Err(Failure::argument(0, format!("invalid regexp pattern: {reason}")))
            }
        }
    }

    fn ty(&self) -> Type {
        match self {
            Shape::Whole => Type::String,
            Shape::Tuple(count) => Type::tuple(vec![Type::String; *count]),
            Shape::Object(names) => {
                Type::object(names.iter().map(|it| (SmolStr::new(it), Type::String)).collect())
            }
        }
    }

    /// A match as a value: a group that took no part is null, and of groups with the same name the last
    /// counts.
    fn value(&self, string: &str, groups: &Groups) -> Value {
        let group = |index: usize| match groups.get(index).cloned().flatten() {
            Some(range) => Value::string(string.get(range).unwrap_or_default()),
            None => Value::null(Type::String),
        };
        match self {
            Shape::Whole => group(0),
            Shape::Tuple(count) => Value::tuple((1..=*count).map(group).collect()),
            Shape::Object(names) => {
                let attribute = |(it, index): (&&str, _)| (SmolStr::new(it), group(index));
                Value::object(names.iter().zip(1..).map(attribute).collect::<BTreeMap<_, _>>())
            }
        }
    }
}

const REPLACE: Function = Function::pure(
    "replace",
    "Replaces every occurrence of a text, or of a regular expression in slashes.",
    &[
        Param::new("str", Ty::String),
        Param::new("substr", Ty::String),
        Param::new("replace", Ty::String),
    ],
    ReturnType::Fixed(Ty::String),
    replace,
)
.refuses(Refuses::By(unless_text));

/// Refuses nothing for a plain text; a text between slashes may be a malformed pattern.
fn unless_text(_: Release, args: &[Value], _: &Type) -> Refuses {
    let is_pattern = |it: &str| it.len() > 1 && it.starts_with('/') && it.ends_with('/');
    match args.get(1).and_then(Value::as_str) {
        Some(it) if !is_pattern(it) => Refuses::Nothing,
        _ => Refuses::SomeValues,
    }
}

fn replace(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (str, substr, replacement) = (text(args, 0), text(args, 1), text(args, 2));
    if let Some(pattern) = substr.strip_prefix('/').and_then(|it| it.strip_suffix('/')) {
        let regex =
            re2::cached(pattern, Dialect::of(context.release)).map_err(|it| match it.kind {
                ErrorKind::Budget => Failure::too_large(it.kind.to_string()),
                _ => Failure::call(it.to_string()),
            })?;
        let size = str.len() as u64;
        context.host.spend(
            4 * pattern.len() as u64
                + regex.memory() / 128
                + size.saturating_mul(regex.weight()) / 4,
        )?;
        let spend = |units| context.host.spend(units);
        return regex.try_replace_all(str, replacement, spend).map(Value::string);
    }
    let count = str.matches(substr).count() as u64;
    context.host.spend(count + count.saturating_mul(replacement.len() as u64) / 16)?;
    Ok(Value::string(str.replace(substr, replacement)))
}

const SPLIT: Function = Function::pure(
    "split",
    "Splits a string at each separator; an empty one splits it into code points.",
    &[Param::new("separator", Ty::String), Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::List(&Ty::String)),
    |context, args, _| {
        let (separator, str) = (text(args, 0), text(args, 1));
        let parts: Vec<Value> = if separator.is_empty() {
            str.chars().map(|it| Value::string(it.encode_utf8(&mut [0; 4]))).collect()
        } else {
            str.split(separator).map(Value::string).collect()
        };
        context.host.spend(parts.len() as u64)?;
        Ok(Value::list(Type::String, parts))
    },
)
.refuses(Refuses::Nothing);

/// The template's name in messages.
const NAME: &str = "<templatestring argument>";

/// The function does not restrict which expressions may be the template; the evaluation of the call
/// does.
const TEMPLATESTRING: Function = Function::pure(
    "templatestring",
    "Renders a template from another object with the given variables.",
    &[Param::new("template", Ty::String), Param::new("vars", Ty::Any)],
    ReturnType::Fixed(Ty::String),
    templatestring,
)
.depends_on(DependsOn::Expressions);

/// OpenTofu's declaration: the template may be any expression, and the result is its value. The marks of
/// the variables stay in them; variables that are sensitive as a whole make OpenTofu's implementation
/// panic and recover.
pub const OF_OPENTOFU: Function = Function {
    params: &[Param::new("data", Ty::String), Param::new("vars", Ty::Any).marked()],
    returns: ReturnType::Fixed(Ty::Any),
    refuses: Refuses::SomeValues,
    depends_on: DependsOn::Arguments,
    body: |context, args, _| {
        if !args[1].marks().of_terraform().is_empty() {
            return Err(Failure::call("the variables must not be sensitive as a whole"));
        }
        context.host.render_template(NAME, text(args, 0), &args[1])
    },
    ..TEMPLATESTRING
};

/// The result is a string even where the template is a single expression of another type.
fn templatestring(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let Some(variables) = args.get(1) else { return Err(Failure::call("vars are missing")) };
    check_syntax(text(args, 0))?;
    let result = context.host.render_text(NAME, text(args, 0), variables)?;
    if result.is_null() {
        return Err(Failure::call("the result of the template is null"));
    }
    convert(&result, &Type::String)
        .map_err(|it| Failure::call(format!("invalid template result: {}", it.reason)))
}

/// Refuses a malformed template: unlike in `templatefile`, that is the argument's fault.
fn check_syntax(template: &str) -> Result<(), Failure> {
    let file = Sources::new().add(NAME, template.as_bytes().to_vec());
    let (_, errors) = parse_template(file, template.as_bytes(), 0);
    match errors.first() {
        None => Ok(()),
        Some(error) if is_too_deep(error) => Err(Failure::too_deep()),
        Some(error) => Err(Failure::argument(0, format!("invalid template: {}", error.summary))),
    }
}

const CHOMP: Function = Function::pure(
    "chomp",
    "Removes all line breaks from the end of a string.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(Value::string(text(args, 0).trim_end_matches(['\r', '\n']))),
)
.refuses(Refuses::Nothing);

const TRIM: Function = Function::pure(
    "trim",
    "Removes all characters of a set from both ends of a string.",
    &[STR, Param::new("cutset", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let cutset: HashSet<char> = text(args, 1).chars().collect();
        Ok(Value::string(text(args, 0).trim_matches(|it| cutset.contains(&it))))
    },
)
.refuses(Refuses::Nothing);

const TRIMPREFIX: Function = Function::pure(
    "trimprefix",
    "Removes a prefix once.",
    &[STR, Param::new("prefix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_prefix(text(args, 1)).unwrap_or(str)))
    },
)
.refuses(Refuses::Nothing);

const TRIMSUFFIX: Function = Function::pure(
    "trimsuffix",
    "Removes a suffix once.",
    &[STR, Param::new("suffix", Ty::String)],
    ReturnType::Fixed(Ty::String),
    |_, args, _| {
        let str = text(args, 0);
        Ok(Value::string(str.strip_suffix(text(args, 1)).unwrap_or(str)))
    },
)
.refuses(Refuses::Nothing);

const TRIMSPACE: Function = Function::pure(
    "trimspace",
    "Removes white space from both ends of a string.",
    &[STR],
    ReturnType::Fixed(Ty::String),
    |_, args, _| Ok(Value::string(text(args, 0).trim())),
)
.refuses(Refuses::Nothing);
