//! The arguments and options of each validator.

use std::{collections::BTreeSet, ops::RangeInclusive, sync::Arc};

use super::{
    BlockKind, BlockPattern, Bounds, ConditionValidator, LabelPattern, RuleTarget, Valid,
    Validator, reader::RuleFileReader, settings,
};
use diagnostics::{Span, near_word};
use hcl::{Expr, ExprKind, ObjectItem, ObjectKey};
use re2::{Dialect, Regex, cached};
use release::{Constraints, Release};
use smol_str::SmolStr;
use tf_value::{Number, Type, Value, convert};

/// The options of every validator.
pub(super) const COMMON: [&str; 2] = ["condition", "error_message"];

/// The options that a validator has besides `condition` and `error_message`.
pub(super) fn known(word: &str) -> &'static [&'static str] {
    match word {
        "string" => &["min_length", "max_length", "pattern"],
        "number" => &["min", "max", "integer"],
        "list" | "set" => &["min_items", "max_items"],
        "map" => &["min_items", "max_items", "keys"],
        "object" => &["unknowns"],
        "uri" => &["scheme"],
        "byte_size" | "duration" => &["min", "max"],
        _ => &[],
    }
}

/// The options as written.
pub(super) struct Options<'e> {
    word: SmolStr,
    items: Vec<(&'e str, Span, &'e Expr)>,
    used: BTreeSet<&'static str>,
}

/// How many arguments a validator takes, in words.
pub(super) fn arguments(takes: &RangeInclusive<usize>) -> &'static str {
    match (takes.start(), takes.end()) {
        (0, 0) => "no arguments but its options",
        (1, 1) => "one argument, and its options",
        (1, 2) => "a type and what the object is like",
        _ => "at most one argument, and its options",
    }
}

impl RuleFileReader<'_> {
    /// The arguments of a call, and the options after them; `None` after an error.
    pub fn split<'e>(&mut self, word: &str, args: &'e [Expr]) -> Option<(&'e [Expr], Options<'e>)> {
        let mut options = Options { word: word.into(), items: Vec::new(), used: BTreeSet::new() };
        let Some((last, rest)) = args.split_last() else { return Some((args, options)) };
        let ExprKind::Object(items) = &last.kind else { return Some((args, options)) };
        if !is_options(word, rest, items) {
            return Some((args, options));
        }
        for item in items {
            let (name, span) = match &item.key {
                ObjectKey::Name(it) => (it.name.as_str(), it.span),
                ObjectKey::Expr(Expr { kind: ExprKind::String(it), span }) => (it.as_str(), *span),
                ObjectKey::Expr(it) | ObjectKey::Template(it) => {
                    self.error("The name of an option must be a constant", "", it.span);
                    return None;
                }
            };
            if options.items.iter().any(|it| it.0 == name) {
                self.error(format!("Duplicate option {name:?}"), "", span);
            }
            options.items.push((name, span, &item.value));
        }
        Some((rest, options))
    }
}

/// Whether an object after the arguments holds options. Where it could also be a validator, the names in it
/// decide.
fn is_options(word: &str, before: &[Expr], items: &[ObjectItem]) -> bool {
    let is_known = |names: &[&str]| {
        let name = |it: &ObjectItem| match &it.key {
            ObjectKey::Name(it) => names.contains(&it.name.as_str()),
            ObjectKey::Expr(_) | ObjectKey::Template(_) => false,
        };
        !items.is_empty() && items.iter().all(name)
    };
    match word {
        "any" | "all" | "deny" => !before.is_empty() && is_known(&COMMON),
        "optional" => before.len() >= 2,
        "object" | "some" | "version" => !before.is_empty(),
        "reference" => before.len() >= 2,
        "json" => !before.is_empty() || is_known(&COMMON),
        "list" | "set" | "map" => !before.is_empty() || is_known(known(word)),
        _ => true,
    }
}

impl<'e> Options<'e> {
    fn get(&mut self, name: &'static str) -> Option<&'e Expr> {
        self.used.insert(name);
        self.items.iter().find(|it| it.0 == name).map(|it| it.2)
    }

    fn value(
        &mut self,
        name: &'static str,
        ty: &Type,
        reader: &mut RuleFileReader<'_>,
    ) -> Option<Value> {
        let expr = self.get(name)?;
        let value = reader.constant(expr)?;
        match convert(&value, ty) {
            Ok(it) if it.is_wholly_known() && !it.is_null() => Some(it),
            _ => {
                let detail = format!("{} is expected.", article(&ty.friendly_name()));
                reader.error(format!("The option {name:?} has another type"), detail, expr.span);
                None
            }
        }
    }

    fn number(&mut self, name: &'static str, reader: &mut RuleFileReader<'_>) -> Option<Number> {
        self.value(name, &Type::Number, reader)?.as_number().cloned()
    }

    fn bounds(
        &mut self,
        [least, most]: [&'static str; 2],
        span: Span,
        reader: &mut RuleFileReader<'_>,
        read: impl Fn(&mut Self, &'static str, &mut RuleFileReader<'_>) -> Option<Number>,
    ) -> Bounds {
        let (min, max) = (read(self, least, reader), read(self, most, reader));
        if let (Some(min), Some(max)) = (&min, &max)
            && min.compare(max).is_gt()
        {
            let detail = format!("{least} is above {most}, so nothing passes.");
            reader.error("The bounds contradict each other", detail, span);
        }
        Bounds { min, max }
    }

    /// Bounds of a count: whole numbers that are not below zero.
    fn lengths(
        &mut self,
        names: [&'static str; 2],
        span: Span,
        reader: &mut RuleFileReader<'_>,
    ) -> Bounds {
        self.bounds(names, span, reader, |options, name, reader| {
            let number = options.number(name, reader)?;
            if !number.is_integer() || number.is_negative() {
                let at = options.get(name).map_or(span, |it| it.span);
                reader.error(format!("{name} must be a whole number of at least 0"), "", at);
            }
            Some(number)
        })
    }

    /// Bounds that may have units: `"10mb"`, `"1h"`.
    fn measures(
        &mut self,
        span: Span,
        reader: &mut RuleFileReader<'_>,
        parse: fn(&Value) -> Option<Number>,
    ) -> Bounds {
        self.bounds(["min", "max"], span, reader, |options, name, reader| {
            let expr = options.get(name)?;
            let value = reader.constant(expr)?;
            let number = parse(&value);
            if number.is_none() {
                reader.error(format!("{name} has no such unit"), settings::HELP, expr.span);
            }
            number
        })
    }

    /// `condition` and `error_message`; the outer `None` after an error.
    #[expect(clippy::option_option, reason = "an error, or none written")]
    pub fn condition(
        &mut self,
        reader: &mut RuleFileReader<'_>,
    ) -> Option<Option<ConditionValidator>> {
        let (condition, error_message) = (self.get("condition"), self.get("error_message"));
        for expr in [condition, error_message].into_iter().flatten() {
            if reader.mentions(expr).is_wrong {
                return None;
            }
        }
        if let Some(condition) = condition {
            reader.is_condition(condition)?;
        }
        match (condition, error_message) {
            (Some(condition), error_message) => Some(Some(ConditionValidator {
                condition: condition.clone(),
                error_message: error_message.cloned(),
            })),
            (None, Some(message)) => {
                let detail = "It explains why the condition is not met.";
                reader.error("error_message without a condition", detail, message.span);
                None
            }
            (None, None) => Some(None),
        }
    }

    /// Reports the options that the validator does not have.
    pub fn finish(self, reader: &mut RuleFileReader<'_>) {
        for (name, span, _) in self.items.iter().filter(|it| !self.used.contains(it.0)) {
            let words = known(&self.word).iter().chain(&COMMON).copied();
            let all = words.clone().collect::<Vec<_>>().join(", ");
            let help = of_elsewhere(&self.word, name).or_else(|| near_word(name, words));
            let help = help.unwrap_or(format!("use {all}"));
            let summary = format!("Unknown option {name:?} of {}", self.word);
            reader.error_with(summary, Some(help), *span);
        }
    }
}

/// The option to write in place of one that is called so elsewhere.
fn of_elsewhere(word: &str, name: &str) -> Option<String> {
    let option = match (word, name) {
        ("string", "regex" | "regexp" | "matches" | "format") => "pattern",
        ("string", "min" | "min_len") => "min_length",
        ("string", "max" | "max_len") => "max_length",
        ("list" | "set" | "map", "min" | "min_length" | "min_size") => "min_items",
        ("list" | "set" | "map", "max" | "max_length" | "max_size") => "max_items",
        (_, "message") => "error_message",
        _ => return None,
    };
    Some(format!("write {option}"))
}

/// Reads a call of a validator, whose number of arguments is right.
pub(super) fn valid(
    reader: &mut RuleFileReader<'_>,
    word: &str,
    args: &[Expr],
    options: &mut Options<'_>,
    span: Span,
) -> Option<Valid> {
    Some(match word {
        "required" => Valid::Required,
        "forbidden" => Valid::Forbidden,
        "bool" => Valid::Bool,
        "hostname" => Valid::Hostname,
        "ip" => Valid::Ip,
        "cidr" => Valid::Cidr,
        "base64" => Valid::Base64,
        "string" => {
            let length = options.lengths(["min_length", "max_length"], span, reader);
            Valid::String { length, pattern: pattern(reader, options) }
        }
        "number" => Valid::Number {
            bounds: options.bounds(["min", "max"], span, reader, Options::number),
            integer: options
                .value("integer", &Type::Bool, reader)
                .is_some_and(|it| it.as_bool() == Some(true)),
        },
        "list" | "set" => Valid::List {
            each: one(reader, args)?,
            length: options.lengths(["min_items", "max_items"], span, reader),
        },
        "map" => Valid::Map {
            each: one(reader, args)?,
            keys: match options.get("keys") {
                Some(it) => Some(reader.validator(it)?),
                None => None,
            },
            length: options.lengths(["min_items", "max_items"], span, reader),
        },
        "object" => object(reader, args.first()?, options)?,
        "subject" => {
            reader.subjects += 1;
            Valid::Subject
        }
        "reference" => Valid::Reference(reference(reader, args, span)?),
        "some" => Valid::Some(reader.validator(args.first()?)?),
        "json" => Valid::Json(one(reader, args)?),
        "uri" => Valid::Uri(schemes(reader, options)),
        "version" => Valid::Version(version(reader, args.first()?)?),
        "byte_size" => Valid::ByteSize(options.measures(span, reader, settings::bytes)),
        "duration" => Valid::Duration(options.measures(span, reader, settings::milliseconds)),
        _ => {
            let detail = "Write matches(parent.NAME, V) ? V : V.";
            reader.error("matches is the condition of a choice", detail, span);
            return None;
        }
    })
}

/// The validator of the elements; the outer `None` after an error.
#[expect(clippy::option_option, reason = "an error, or none written")]
fn one(reader: &mut RuleFileReader<'_>, args: &[Expr]) -> Option<Option<Arc<Validator>>> {
    match args.first() {
        Some(it) => reader.validator(it).map(Some),
        None => Some(None),
    }
}

fn pattern(reader: &mut RuleFileReader<'_>, options: &mut Options<'_>) -> Option<Arc<Regex>> {
    let value = options.value("pattern", &Type::String, reader)?;
    let span = options.get("pattern")?.span;
    match cached(value.as_str()?, Dialect::of(Release::NEWEST)) {
        // The cache belongs to this thread, but a policy is shared by all.
        Ok(it) => Some(Arc::new(Regex::clone(&it))),
        Err(error) => {
            reader.error("The pattern is not a valid regular expression", error.to_string(), span);
            None
        }
    }
}

fn object(
    reader: &mut RuleFileReader<'_>,
    expr: &Expr,
    options: &mut Options<'_>,
) -> Option<Valid> {
    let unknowns = options.value("unknowns", &Type::String, reader);
    let is_closed = match unknowns.as_ref().and_then(Value::as_str) {
        Some("forbid") => true,
        None | Some("allow") => false,
        Some(_) => {
            let span = options.get("unknowns")?.span;
            reader.error("unknowns must be \"forbid\" or \"allow\"", "", span);
            return None;
        }
    };
    let ExprKind::Object(items) = &expr.kind else {
        reader.error("object takes its members in braces", "Write object({ a = V }).", expr.span);
        return None;
    };
    let members = reader.members(items)?;
    Some(Valid::Object { members, is_closed })
}

/// `reference("TYPE", {…})`; a data source is `data.TYPE`.
fn reference(
    reader: &mut RuleFileReader<'_>,
    args: &[Expr],
    span: Span,
) -> Option<Arc<RuleTarget>> {
    let ty = args.first()?;
    let value = reader.constant(ty)?;
    let Some(text) = value.as_str().filter(|it| !it.is_empty()) else {
        let detail = "Write reference(\"TYPE\", { NAME = V }).";
        reader.error("reference takes a type", detail, ty.span);
        return None;
    };
    let (kind, types) = match text.strip_prefix("data.") {
        Some(rest) => (BlockKind::Data, rest),
        None => (BlockKind::Resource, text),
    };
    let labels: Vec<LabelPattern> =
        types.split(',').map(|it| LabelPattern(it.trim().into())).collect();
    let members = match args.get(1) {
        None => Vec::new(),
        Some(Expr { kind: ExprKind::Object(items), .. }) => reader.members(items)?,
        Some(it) => {
            let detail = "Write reference(\"TYPE\", { NAME = V }).";
            reader.error("reference takes arguments in braces", detail, it.span);
            return None;
        }
    };
    reader.referred.extend(labels.iter().map(|it| (kind, it.clone())));
    let mut pattern = BlockPattern { members, ..BlockPattern::default() };
    pattern.mentions = super::mentions::of(&pattern);
    Some(Arc::new(RuleTarget { kind, labels, pattern, span }))
}

/// One scheme, or several.
fn schemes(reader: &mut RuleFileReader<'_>, options: &mut Options<'_>) -> Vec<SmolStr> {
    let Some(expr) = options.get("scheme") else { return Vec::new() };
    let Some(value) = reader.constant(expr) else { return Vec::new() };
    let texts = match value.as_str() {
        Some(it) => Some(vec![it.into()]),
        None => value.as_sequence().and_then(|all| {
            all.iter().map(|it| it.as_str().map(SmolStr::from)).collect::<Option<Vec<_>>>()
        }),
    };
    let texts = texts.filter(|it| !it.is_empty());
    if texts.is_none() {
        reader.error("scheme must be a string or a list of strings", "", expr.span);
    }
    texts.unwrap_or_default()
}

fn version(reader: &mut RuleFileReader<'_>, expr: &Expr) -> Option<Constraints> {
    let value = reader.constant(expr)?;
    if value.as_number().is_some() {
        let detail = "Write it in quotes, because the number 1.10 is 1.1.";
        reader.error("A version must be a string", detail, expr.span);
        return None;
    }
    let constraints = value.as_str().and_then(Constraints::parse);
    if constraints.is_none() {
        let detail = "Write it as in required_version, such as \"~> 5.0\" or \">= 1.2, < 2.0\".";
        reader.error("No version constraint", detail, expr.span);
    }
    let constraints = constraints?;
    if constraints.has_prerelease() {
        let detail = "Versions are compared by their numbers: write only final releases.";
        reader.error("The constraint names a pre-release", detail, expr.span);
        return None;
    }
    Some(constraints)
}

fn article(noun: &str) -> String {
    format!("A {noun}")
}
