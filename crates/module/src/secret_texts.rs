//! Texts of defaults of sensitive and ephemeral variables, and whatever would reveal them: excerpts, words, schemas.
//!
//! A default itself is always left out. A text or a keyword that *contains* one is left out, too.
//! "Contains" is defined like this:
//! - Every text of a default counts: strings, keys of maps, and numbers as their decimals. Null, bools and empty texts
//!   reveal nothing, and attribute names are declared in the type.
//! - A text of four characters or more is looked for in the whole module, inside of words, too. Case
//!   and backslashes make no difference, so that a pattern and a quoted string are seen through.
//! - A shorter one, and a number, is looked for as a word, and only in rules that name the variable.
//! - In prose (descriptions) even long texts are looked for as words: "admin" is not in
//!   "administrator".

use std::collections::{BTreeMap, BTreeSet};

use super::{Module, Validation, Variable, evaluate_constant};
use aho_corasick::{AhoCorasick, MatchKind};
use diagnostics::{Span, lints};
use hcl::{
    Expr, ExprKind, TemplatePart,
    analysis::{PathStep, references},
};
use release::Release;
use smol_str::SmolStr;
use stack::guarded;
use tf_eval::Meter;
use tf_value::{DYNAMIC, Type, Value, ValueContent, typeexpr::Defaults};

/// The texts of a module's defaults that must not be shown.
#[derive(Debug, Default)]
pub struct Secrets {
    /// Texts that are searched for in the whole module.
    everywhere: Texts,
    /// Texts that are searched for in the parts that name the variable.
    of_variable: BTreeMap<SmolStr, Texts>,
    /// Locals whose expressions contain such a text, or name such a local.
    locals: BTreeSet<SmolStr>,
}

impl Secrets {
    /// The texts of the defaults of hidden variables, also of optional attributes, and further texts,
    /// such as a committed schema's.
    pub fn of(
        module: &Module,
        further: impl IntoIterator<Item = (SmolStr, BTreeSet<String>)>,
    ) -> Secrets {
        let mut found: BTreeMap<SmolStr, BTreeSet<String>> = BTreeMap::new();
        // Defaults call nothing, so their values are no larger than their texts.
        let meter = Meter::default();
        for variable in module.variables.values().filter(|it| it.is_hidden()) {
            let texts = found.entry(variable.name.clone()).or_default();
            let written = variable.default_expr.as_ref().and_then(|it| constant(it, &meter));
            let ty = &variable.constraint.ty;
            for value in variable.default.iter().chain(&written) {
                of_value(value, ty, texts);
            }
            variable.constraint.defaults.iter().for_each(|it| of_defaults(it, ty, texts));
        }
        for (name, texts) in further {
            found.entry(name).or_default().extend(texts);
        }
        let is_strong = |it: &String| it.chars().count() >= SUBSTANCE && !is_number(it);
        let strong = found.values().flatten().filter(|it| is_strong(it)).cloned().collect();
        let mut secrets = Secrets { everywhere: Texts::new(&strong), ..Secrets::default() };
        for (name, texts) in found {
            let weak = texts.into_iter().filter(|it| !is_strong(it)).collect();
            secrets.of_variable.insert(name, Texts::new(&weak));
        }
        secrets.find_locals(module);
        secrets
    }

    fn find_locals(&mut self, module: &Module) {
        if self.everywhere.is_empty() {
            return;
        }
        let mut users: BTreeMap<SmolStr, Vec<SmolStr>> = BTreeMap::new();
        let mut new = Vec::new();
        for local in module.locals.values() {
            for used in named(&local.expr, "local") {
                users.entry(used).or_default().push(local.name.clone());
            }
            if self.everywhere.are_in_expression(module, &local.expr) {
                new.push(local.name.clone());
            }
        }
        while let Some(name) = new.pop() {
            new.extend(users.remove(&name).unwrap_or_default());
            self.locals.insert(name);
        }
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.everywhere.is_empty() && self.of_variable.values().all(Texts::is_empty)
    }

    /// Whether a rule's condition, or a local that it names, contains a secret text.
    pub fn are_in_condition(&self, module: &Module, rule: &Validation) -> bool {
        self.are_in_expression(module, &rule.condition)
            || (!self.locals.is_empty()
                && named(&rule.condition, "local").iter().any(|it| self.locals.contains(it)))
    }

    /// Whether the text of an expression contains a secret text, as written or with its escapes
    /// resolved.
    pub fn are_in_expression(&self, module: &Module, expr: &Expr) -> bool {
        self.for_expression(expr).any(|it| it.are_in_expression(module, expr))
    }

    /// Whether a message contains a secret text: as it would be shown, or in its source.
    pub fn are_in_message(&self, module: &Module, rule: &Validation, shown: &str) -> bool {
        let Some(message) = &rule.error_message else { return false };
        let mut texts = self.for_expression(&rule.condition).chain(self.for_expression(message));
        texts.any(|it| it.are_in(shown, false) || it.are_in_expression(module, message))
    }

    /// Whether one of the texts that were made from a rule contains a secret text.
    pub fn are_in_texts(&self, rule: &Validation, made: &BTreeSet<String>) -> bool {
        let is_in = |texts: &Texts| made.iter().any(|it| texts.are_in(it, false));
        self.for_expression(&rule.condition).any(is_in)
    }

    /// Whether a description or another text for people contains a secret text as a word.
    pub fn are_in_prose(&self, variable: &Variable, text: &str) -> bool {
        let own = self.of_variable.get(&variable.name);
        self.everywhere.are_in(text, true) || own.is_some_and(|it| it.are_in(text, true))
    }

    /// Whether a text in the schema of a variable, or of all of them, contains a secret text.
    pub fn are_in_text(&self, variable: Option<&str>, text: &str) -> bool {
        let own = variable.and_then(|it| self.of_variable.get(it));
        self.everywhere.are_in(text, false) || own.is_some_and(|it| it.are_in(text, false))
    }

    /// The literals and descriptions in the module's source that no excerpt may show.
    pub fn hidden_spans(&self, module: &Module) -> Vec<Span> {
        let mut places = Vec::new();
        let mut literals = |expr: &Expr, named: &Expr| {
            let texts: Vec<&Texts> =
                self.for_expression(named).filter(|it| !it.is_empty()).collect();
            if !texts.is_empty() {
                literals(expr, &texts, &mut places);
            }
        };
        let rules = module.variables.values().flat_map(|it| &it.validations);
        for rule in rules.chain(module.checks.values().flat_map(|it| &it.asserts)) {
            literals(&rule.condition, &rule.condition);
            rule.error_message.iter().for_each(|it| literals(it, &rule.condition));
        }
        module.locals.values().for_each(|it| literals(&it.expr, &it.expr));
        for variable in module.variables.values() {
            let is_hidden =
                variable.description.as_ref().is_some_and(|it| self.are_in_prose(variable, it));
            places.extend(variable.description_span.filter(|_| is_hidden));
        }
        places
    }

    /// The texts to search for in an expression: all long ones, and the short ones of variables that it
    /// names.
    fn for_expression<'s>(&'s self, expr: &Expr) -> impl Iterator<Item = &'s Texts> + use<'s> {
        let any = self.of_variable.values().any(|it| !it.is_empty());
        let names = if any { named(expr, "var") } else { BTreeSet::new() };
        let own = names.into_iter().filter_map(|it| self.of_variable.get(&it));
        std::iter::once(&self.everywhere).chain(own)
    }
}

/// The value of a default as written, before its conversion takes parts away; `None` if it has none.
fn constant(expr: &Expr, meter: &Meter) -> Option<Value> {
    let rule = &lints::INVALID_VARIABLE;
    let (value, problems) = evaluate_constant(expr, rule, Release::NEWEST, meter);
    (problems.is_empty() && value.is_wholly_known()).then_some(value)
}

/// The string literals in an expression that contain one of the texts.
fn literals(expr: &Expr, texts: &[&Texts], places: &mut Vec<Span>) {
    let is_secret = |text: &str| texts.iter().any(|it| it.are_in(text, false));
    match &expr.kind {
        ExprKind::String(text) if is_secret(text) => places.push(expr.span),
        ExprKind::Number(text) if is_secret(text) => places.push(expr.span),
        ExprKind::Template(parts) => {
            let secret = parts.iter().filter_map(|it| match it {
                TemplatePart::Literal { text, span } if is_secret(text) => Some(*span),
                _ => None,
            });
            places.extend(secret);
        }
        _ => (),
    }
    expr.for_each_child(&mut |it| guarded(|| literals(it, texts, places)));
}

/// The names behind `root.` in an expression.
fn named(expr: &Expr, root: &str) -> BTreeSet<SmolStr> {
    let of_root = references(expr).into_iter().filter(|it| it.root.name == root);
    let names = of_root.filter_map(|it| match it.steps.into_iter().next() {
        Some(PathStep::Attr(name)) => Some(name),
        _ => None,
    });
    names.collect()
}

// Collects the texts in a default.

/// Adds the texts of a default, without the attribute names that the type declares.
fn of_value(value: &Value, ty: &Type, texts: &mut BTreeSet<String>) {
    let inner = |key: &str| match ty {
        Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    guarded(|| match value.content() {
        ValueContent::Null | ValueContent::Unknown(_) | ValueContent::Bool(_) => (),
        ValueContent::Number(it) => add(&it.to_decimal(), texts),
        ValueContent::String(it) => add(it, texts),
        ValueContent::Sequence(elements) => {
            for (index, it) in elements.iter().enumerate() {
                let ty = match ty {
                    Type::Tuple(types) => types.get(index).unwrap_or(&DYNAMIC),
                    _ => inner(""),
                };
                of_value(it, ty, texts);
            }
        }
        ValueContent::Mapping(members) => {
            for (key, it) in members.iter() {
                if !matches!(ty, Type::Object(object) if object.attributes.contains_key(key)) {
                    add(key, texts);
                }
                of_value(it, inner(key), texts);
            }
        }
    });
}

fn of_defaults(defaults: &Defaults, ty: &Type, texts: &mut BTreeSet<String>) {
    let inner = |key: &str| match ty {
        Type::Object(object) => object.attributes.get(key).unwrap_or(&DYNAMIC),
        Type::Tuple(types) => {
            key.parse::<usize>().ok().and_then(|it| types.get(it)).unwrap_or(&DYNAMIC)
        }
        _ => ty.element().unwrap_or(&DYNAMIC),
    };
    for (name, value) in defaults.values.iter().chain(&defaults.written) {
        of_value(value, inner(name), texts);
    }
    for (key, child) in &defaults.children {
        guarded(|| of_defaults(child, inner(key), texts));
    }
}

fn add(text: &str, texts: &mut BTreeSet<String>) {
    if reveals(text) {
        texts.insert(text.to_owned());
    }
}

/// Whether finding a text again would reveal something: it is neither empty nor a single digit.
pub fn reveals(text: &str) -> bool {
    let text = text.trim();
    let is_digit = is_number(text) && text.len() < 2;
    !text.is_empty() && !is_digit
}

// Searches for many texts at once.

/// The number of characters from which on a text is searched for everywhere.
const SUBSTANCE: usize = 4;
/// The number of characters by which a long text is found.
const MAX_CHARACTERS: usize = 64;
/// The limit for texts; beyond it everything counts as containing one.
const MAX_TEXTS: usize = 100_000;
/// The limit for finds inside of words; beyond it a text counts as containing one.
const MAX_FINDS: usize = 100_000;

/// Texts that are searched for at once.
#[derive(Debug, Default)]
enum Texts {
    #[default]
    None,
    Some(Box<AhoCorasick>, Vec<bool>),
    /// There are too many, so everything counts as containing one.
    Any,
}

impl Texts {
    pub fn new(texts: &BTreeSet<String>) -> Texts {
        if texts.is_empty() {
            return Texts::None;
        }
        let texts: BTreeSet<String> = texts.iter().map(|it| normal(it)).collect();
        let texts: Vec<String> = texts.into_iter().filter(|it| !it.is_empty()).collect();
        let cut = |it: &String| it.chars().take(MAX_CHARACTERS).collect::<String>();
        let is_word = |it: &String| it.chars().count() < SUBSTANCE || is_number(it);
        let words = texts.iter().map(is_word).collect();
        let patterns: Vec<String> = texts.iter().map(cut).collect();
        let finder = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&patterns);
        match finder {
            Ok(finder) if patterns.len() <= MAX_TEXTS => Texts::Some(finder.into(), words),
            _ => Texts::Any,
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Texts::None)
    }

    pub fn are_in(&self, text: &str, as_words: bool) -> bool {
        let (finder, words) = match self {
            Texts::None => return false,
            Texts::Any => return true,
            Texts::Some(finder, words) => (finder, words),
        };
        let text = normal(text);
        let is_apart = |it: Option<char>| !it.is_some_and(char::is_alphanumeric);
        let found = finder.find_overlapping_iter(&text).enumerate();
        found.into_iter().any(|(count, it)| {
            let (before, after) = (&text[..it.start()], &text[it.end()..]);
            let is_word = is_apart(before.chars().next_back()) && is_apart(after.chars().next());
            let needs_word = as_words || words[it.pattern()];
            !needs_word || is_word || count > MAX_FINDS
        })
    }

    pub fn are_in_expression(&self, module: &Module, expr: &Expr) -> bool {
        !self.is_empty()
            && (self.are_in(&module.sources.snippet(expr.span), false) || self.are_in_strings(expr))
    }

    /// Searches the values of strings, since the source may hide a text behind escapes.
    fn are_in_strings(&self, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::String(text) => self.are_in(text, false),
            ExprKind::Template(parts) => parts.iter().any(
                |it| matches!(it, TemplatePart::Literal { text, .. } if self.are_in(text, false)),
            ),
            _ => false,
        };
        let mut found = own;
        expr.for_each_child(&mut |it| {
            found = found || guarded(|| self.are_in_strings(it));
        });
        found
    }
}

/// A text in the form for comparison: a quoted text and a pattern have backslashes that the value lacks,
/// and a pattern writes `[Aa]` for a letter of either case.
fn normal(text: &str) -> String {
    let text = text.replace('\\', "").to_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = memchr::memchr(b'[', rest.as_bytes()) {
        out += &rest[..at];
        rest = &rest[at..];
        let mut inside = rest[1..].chars();
        let first = inside.next().filter(|it| *it != ']');
        let same = inside.clone().take_while(|it| Some(*it) == first).count();
        let is_letter = inside.nth(same) == Some(']');
        if let Some(letter) = first.filter(|_| is_letter) {
            out.push(letter);
            rest = &rest[2 + letter.len_utf8() * (same + 1)..];
        } else {
            out.push('[');
            rest = &rest[1..];
        }
    }
    out + rest
}

/// Whether a text is a decimal with an optional sign, fraction and exponent, as JSON and HCL write them.
fn is_number(text: &str) -> bool {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    has_digits && are_digits(whole) && are_digits(fraction) && exponent.parse::<i64>().is_ok()
}
