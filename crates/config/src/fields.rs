//! Typed access to the arguments of a body, with their errors.

use smol_str::SmolStr;

use super::{
    Globs, NamePatterns,
    supported::{SupportedArgument, SupportedContent},
};
use diagnostics::{Diagnostic, Diagnostics, Role, Span, lints, suggestion};
use hcl::{Attribute, Block, Body, Expr, ExprKind, Item, ObjectKey};
use module::evaluate_constant;
use release::Release;
use tf_eval::Meter;
use tf_value::{Type, Value, convert};

/// The units of work of reading and compiling a pattern.
const PATTERN: u64 = 100;

/// The units of work of an `input` block besides its patterns: it is compared with the others, and a module may have
/// thousands of them.
const INPUT: u64 = 300;

/// A body being read. An argument that is never read is an unknown one.
pub(super) struct Fields<'a> {
    body: &'a Body,
    /// The name of the body in messages: `the configuration`, `"schema"`.
    place: String,
    /// What was asked for.
    supported: SupportedContent,
    problems: Diagnostics,
    /// Counts the work of reading the file.
    meter: Meter,
}

impl<'a> Fields<'a> {
    pub fn new(
        body: &'a Body,
        place: impl Into<String>,
        problems: Diagnostics,
        meter: &Meter,
    ) -> Self {
        let meter = meter.clone();
        Fields {
            body,
            place: place.into(),
            supported: SupportedContent::default(),
            problems,
            meter,
        }
    }

    /// The fields of a block's body; end the reading with [`Fields::take`].
    pub fn of_block<'b>(&self, block: &'b Block) -> Fields<'b> {
        let place = format!("\"{}\"", block.kind.name);
        Fields::new(&block.body, place, Vec::new(), &self.meter)
    }

    /// Ends the reading of a block's inside.
    pub fn take(&mut self, mut inner: Fields<'_>) {
        inner.blocks(&[]);
        let (problems, supported) = inner.finish();
        self.problems.extend(problems);
        self.supported.inside = Some(Box::new(supported));
    }

    /// The blocks of these types; a block of another type is an error.
    pub fn blocks(&mut self, known: &[&'static str]) -> Vec<&'a Block> {
        self.supported.blocks.extend(known);
        let mut found = Vec::new();
        let body = self.body;
        for item in &body.items {
            let Item::Block(block) = item else { continue };
            let kind = &block.kind;
            if known.contains(&kind.name.as_str()) {
                found.push(block);
            } else {
                self.unknown("block", &kind.name, known, kind.span);
            }
        }
        found
    }

    /// Reports repeated blocks of these types.
    pub fn at_most_once(&mut self, kinds: &[&str]) {
        for kind in kinds {
            let blocks = self.body.items.iter().filter_map(|it| match it {
                Item::Block(block) if block.kind.name == *kind => Some(block.header),
                _ => None,
            });
            for again in blocks.skip(1) {
                let summary = format!("Duplicate \"{kind}\" block: a file can have only one");
                self.problem(summary, String::new(), again);
            }
        }
    }

    /// Reports arguments that were not read, and returns all errors with what the body can contain.
    pub fn finish(mut self) -> (Diagnostics, SupportedContent) {
        self.supported.arguments.sort_by_key(|it| it.name);
        let known: Vec<&str> = self.supported.arguments.iter().map(|it| it.name).collect();
        let body = self.body;
        for item in &body.items {
            let Item::Attribute(attribute) = item else { continue };
            let name = &attribute.name;
            if !known.contains(&name.name.as_str()) {
                self.unknown("argument", &name.name, &known, name.span);
            }
        }
        (self.problems, self.supported)
    }

    /// Notes that the body can contain an argument.
    fn ask(&mut self, name: &'static str) -> &mut SupportedArgument {
        let arguments = &mut self.supported.arguments;
        let at = arguments.iter().position(|it| it.name == name).unwrap_or(arguments.len());
        if at == arguments.len() {
            arguments.push(SupportedArgument::any(name));
        }
        &mut arguments[at]
    }

    /// Notes the words that a list takes.
    pub fn lists(&mut self, name: &'static str, words: &[&'static str]) {
        let argument = self.ask(name);
        (argument.words, argument.is_list) = (words.to_vec(), true);
    }

    pub fn bool(&mut self, name: &'static str) -> Option<bool> {
        self.ask(name).is_bool = true;
        self.value(name, &Type::Bool)?.as_bool()
    }

    /// Whether an argument is written as a number; a number loses its trailing zeros.
    pub fn is_number(&mut self, name: &'static str) -> bool {
        self.ask(name);
        let Some(attribute) = self.attribute(name) else { return false };
        self.constant(&attribute.value).0.ty() == &Type::Number
    }

    /// Whether an argument is written as a bool.
    pub fn is_bool(&mut self, name: &'static str) -> bool {
        self.ask(name).is_bool = true;
        let Some(attribute) = self.attribute(name) else { return false };
        self.constant(&attribute.value).0.ty() == &Type::Bool
    }

    pub fn string(&mut self, name: &'static str) -> Option<String> {
        self.value(name, &Type::String)?.as_str().map(str::to_owned)
    }

    pub fn strings(&mut self, name: &'static str) -> Option<Vec<String>> {
        let value = self.value(name, &Type::list(Type::String))?;
        let elements = value.as_sequence()?.iter();
        Some(elements.filter_map(|it| it.as_str().map(str::to_owned)).collect())
    }

    /// The place of an argument's value; an empty span if the argument is missing.
    pub fn span(&self, name: &str) -> Span {
        self.attribute(name).map(|it| it.value.span).unwrap_or_default()
    }

    /// Charges for compiling so many patterns; returns whether the work is allowed.
    pub fn charge_patterns(&self, count: usize) -> bool {
        self.meter.charge(count as u64 * PATTERN)
    }

    /// Charges for an `input` block.
    pub fn charge_input(&self) {
        self.meter.charge(INPUT);
    }

    /// Whether the work was used up, which is one problem of the whole file.
    pub fn is_exhausted(&self) -> bool {
        self.meter.is_exhausted()
    }

    /// A list of patterns of paths.
    pub fn globs(&mut self, name: &'static str) -> Option<Globs> {
        let patterns = self.strings(name)?;
        if !self.charge_patterns(patterns.len()) {
            return None;
        }
        match Globs::new(&patterns) {
            Ok(mut globs) => {
                globs.span = self.span(name);
                Some(globs)
            }
            Err(why) => {
                self.refuse(name, &why);
                None
            }
        }
    }

    /// A list of strings, or one string alone.
    pub fn string_or_strings(&mut self, name: &'static str) -> Option<Vec<String>> {
        self.ask(name);
        let attribute = self.attribute(name)?;
        if self.constant(&attribute.value).0.ty() == &Type::String {
            return self.string(name).map(|it| vec![it]);
        }
        self.strings(name)
    }

    /// A name of a variable, or a list of names; each may be a pattern.
    pub fn names(&mut self, name: &'static str) -> Option<NamePatterns> {
        let names = self.string_or_strings(name)?;
        if !self.charge_patterns(names.len()) {
            return None;
        }
        match NamePatterns::new(&names) {
            Ok(mut names) => {
                names.span = self.span(name);
                Some(names)
            }
            Err(why) => {
                self.refuse(name, &why);
                None
            }
        }
    }

    pub fn string_map(&mut self, name: &'static str) -> Option<Vec<(String, String)>> {
        let value = self.value(name, &Type::map(Type::String))?;
        let elements = value.as_mapping()?.iter();
        let texts =
            elements.filter_map(|(name, it)| Some((name.to_string(), it.as_str()?.to_owned())));
        Some(texts.collect())
    }

    /// The members of an object, each with the place of its name.
    pub fn members(&mut self, name: &'static str) -> Vec<(SmolStr, Value, Span)> {
        let Some(value) = self.value(name, &Type::Dynamic) else { return Vec::new() };
        let Some(members) = value.as_mapping() else {
            self.refuse(name, "an object is expected, such as { env = \"prod\" }");
            return Vec::new();
        };
        let items = match self.attribute(name).map(|it| &it.value.kind) {
            Some(ExprKind::Object(items)) => items.as_slice(),
            _ => &[],
        };
        let span_of = |wanted: &str| {
            items.iter().find_map(|it| match &it.key {
                ObjectKey::Name(it) if it.name == wanted => Some(it.span),
                ObjectKey::Expr(Expr { kind: ExprKind::String(it), span, .. }) if it == wanted => {
                    Some(*span)
                }
                _ => None,
            })
        };
        let whole = self.span(name);
        let span = |it: &SmolStr| span_of(it).unwrap_or(whole);
        members.iter().map(|(name, it)| (name.clone(), it.clone(), span(name))).collect()
    }

    /// Whether the argument is written, whatever its value is.
    pub fn is_written(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// One of a few words.
    pub fn one_of(&mut self, name: &'static str, words: &[&'static str]) -> Option<String> {
        self.ask(name).words = words.to_vec();
        let word = self.string(name)?;
        if words.contains(&word.as_str()) {
            return Some(word);
        }
        self.refuse(name, &format!("one of {} is expected", words.join(", ")));
        None
    }

    /// The one label that a block must have.
    pub fn label(&mut self, block: &Block, what: &str) -> Option<SmolStr> {
        if let [label] = block.labels.as_slice() {
            return Some(label.text.clone());
        }
        let summary = format!("The block \"{}\" takes one label", block.kind.name);
        self.problem(summary, format!("It is {what}."), block.header);
        None
    }

    pub fn no_label(&mut self, block: &Block) {
        if let Some(label) = block.labels.first() {
            let summary = format!("The block \"{}\" takes no label", block.kind.name);
            self.problem(summary, String::new(), label.span);
        }
    }

    /// Reports an argument whose value is not valid.
    pub fn refuse(&mut self, name: &str, why: &str) {
        let Some(span) = self.attribute(name).map(|it| it.value.span) else { return };
        self.problem(format!("Unsuitable value for \"{name}\""), why.to_owned(), span);
    }

    pub fn missing(&mut self, name: &str, block: &Block) {
        let is_reported = self.attribute(name).is_some() && !self.problems.is_empty();
        if !is_reported && !self.meter.is_exhausted() {
            let summary = format!("The block \"{}\" needs \"{name}\"", block.kind.name);
            self.problem(summary, String::new(), block.header);
        }
    }

    /// Reports an unknown name with the nearest known one.
    pub fn unknown(&mut self, what: &str, name: &str, known: &[&str], span: Span) {
        let summary = match what {
            "rule" => format!("Unknown rule \"{name}\""),
            _ => format!("Unknown {what} \"{name}\" in {}", self.place),
        };
        let detail = if known.is_empty() || what == "rule" {
            String::new()
        } else {
            format!("Supported here: {}.", known.join(", "))
        };
        let mut problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail);
        if let Some(nearest) = suggestion(name, known.iter().copied()) {
            problem = problem.help(format!("did you mean \"{nearest}\"?"));
        }
        self.problems.push(problem.at(Role::Declaration, span));
    }

    fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.body.items.iter().find_map(|it| match it {
            Item::Attribute(attribute) if attribute.name.name == name => Some(attribute),
            _ => None,
        })
    }

    fn constant(&self, expr: &Expr) -> (Value, Diagnostics) {
        evaluate_constant(expr, &lints::INVALID_CONFIGURATION, Release::NEWEST, &self.meter)
    }

    fn value(&mut self, name: &'static str, ty: &Type) -> Option<Value> {
        self.ask(name);
        let expr = &self.attribute(name)?.value;
        // The work was used up before, which is one problem of the whole file.
        if self.meter.is_exhausted() {
            return None;
        }
        let (value, problems) = self.constant(expr);
        if !problems.is_empty() {
            self.problems.extend(problems);
            return None;
        }
        match convert(&value, ty) {
            Ok(value) if value.is_null() => None,
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(name, &format!("{}.", error.reason));
                None
            }
        }
    }

    pub fn problem(&mut self, summary: String, detail: String, span: Span) {
        let problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).detail(detail);
        self.problems.push(problem.at(Role::Declaration, span));
    }
}
