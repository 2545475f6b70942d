//! What cannot be trusted of a module that was read with errors.

use std::path::Path;

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    members::{Member, Members},
    onward::{Hole, Onward, Unusable, in_hole},
};
use diagnostics::{
    Cause, Diagnostic, Diagnostics, EvalError, FileId, Lint, ReferenceError, Span, lints,
};
use hcl::{Item, parse_body};
use module::{Module, inputs::is_json_file, is_override_file};

/// The rules about what keeps a text from being read.
const OF_READING: [&Lint; 3] =
    [&lints::INVALID_SYNTAX, &lints::UNREADABLE_FILE, &lints::OUTSIDE_ROOT];

/// The words in parts that were not read, each with the error of the first part that has it.
#[derive(Clone, Debug, Default)]
struct Words {
    all: HashMap<SmolStr, Span>,
    /// The error of a file whose text is missing.
    any: Option<Span>,
}

impl Words {
    fn add(&mut self, module: &Module, part: Span, by: Span) {
        let bytes = &module.sources.file(part.file).bytes;
        if bytes.is_empty() {
            self.any.get_or_insert(by);
        }
        let text = String::from_utf8_lossy(bytes.get(part.range()).unwrap_or_default());
        for word in words(&text) {
            self.all.entry(word.into()).or_insert(by);
        }
    }

    fn find(&self, word: &str) -> Option<Span> {
        self.all.get(word).copied().or(self.any)
    }
}

/// The words of a text that may be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '-';
    text.split(move |sign| !is_of_name(sign)).filter(|it| !it.is_empty())
}

/// The parts of a module that its own errors keep from being judged.
#[derive(Clone, Debug, Default)]
pub struct Distrust {
    /// Parts that were not read, or not to their end.
    pub holes: Vec<Hole>,
    /// The words in them.
    words: Words,
    /// The words in those that are in override files.
    overrides: Words,
    /// Variables whose types are uncertain.
    pub variables: Unusable,
    /// Variables whose defaults are uncertain.
    pub defaults: Unusable,
    /// The error that may hide declarations.
    pub partial: Option<Span>,
    /// The error that may hide variables, or parts of them.
    pub lacks_variables: Option<Span>,
}

impl Distrust {
    /// `found`: the diagnostics of loading the module.
    pub fn of(module: &Module, found: &Diagnostics) -> Distrust {
        let mut distrust = Distrust::default();
        let own = |it: &&Diagnostic| it.is_error() && it.address.is_empty();
        // A file may have a thousand errors.
        let mut parsed = HashMap::default();
        for it in found.iter().filter(own) {
            let Some(by) = it.span() else { continue };
            if it.rule.is_one_of(&OF_READING) {
                distrust.partial.get_or_insert(by);
                let span = hole(module, by, &mut parsed);
                if distrust.holes.iter().any(|it| it.span == span) {
                    continue;
                }
                distrust.holes.push(Hole { span, by });
                distrust.words.add(module, span, by);
                if is_of_override(module, span) {
                    distrust.overrides.add(module, span, by);
                }
            } else if it.rule == lints::INVALID_VARIABLE {
                distrust.variable(module, it, by);
            }
        }
        // A part may declare variables, or what their rules refer to.
        let of_variables = ["variable", "locals"].iter().find_map(|it| distrust.words.find(it));
        distrust.lacks_variables = distrust.lacks_variables.or(of_variables);
        for (name, variable) in &module.variables {
            if let Some(by) = in_hole(&distrust.holes, variable.span) {
                distrust.variables.insert(name.clone(), Some(by));
            }
        }
        distrust
    }

    /// Whether there is nothing that cannot be trusted.
    pub fn is_empty(&self) -> bool {
        let Distrust { holes, variables, defaults, partial, lacks_variables, .. } = self;
        holes.is_empty()
            && variables.is_empty()
            && defaults.is_empty()
            && partial.or(*lacks_variables).is_none()
    }

    /// The error in the place of a declaration, or in an override file that may change it.
    pub fn hides(&self, name: &str, declared: Span) -> Option<Span> {
        in_hole(&self.holes, declared).or_else(|| self.overrides.find(name))
    }

    /// Whether a finding about a module's own text is more than a consequence of an error of syntax there.
    pub fn admits(&self, it: &Diagnostic) -> bool {
        if let Some(Cause::Base(name)) = &it.cause
            && self.may_declare(name).is_some()
        {
            return false;
        }
        let is_of_reading = it.rule.is_one_of(&OF_READING);
        is_of_reading || it.span().is_none_or(|at| in_hole(&self.holes, at).is_none())
    }

    /// The error that makes it uncertain whether the module declares a name.
    pub fn may_declare(&self, name: &str) -> Option<Span> {
        self.words.find(name)
    }

    fn variable(&mut self, module: &Module, it: &Diagnostic, by: Span) {
        self.lacks_variables.get_or_insert(by);
        let Some(variable) = it.variable.as_ref().and_then(|it| module.variables.get(it)) else {
            return;
        };
        let default = variable.default_expr.as_ref().map(|it| it.span);
        let is_in_default = default
            .is_some_and(|it| it.file == by.file && it.start <= by.start && by.end <= it.end);
        let name = variable.name.clone();
        if is_in_default {
            self.defaults.entry(name).or_insert(Some(by));
        } else if it.validation.is_none() {
            self.variables.entry(name).or_insert(Some(by));
        }
    }
}

/// The error that may make a finding false: a part of a module that was not read may declare what the finding
/// reports as missing. The places are among the root's files.
pub(super) fn uncertain(
    members: &Members<'_>,
    onward: Onward<'_>,
    it: &Diagnostic,
) -> Option<Span> {
    let in_any_hole =
        |at: Span| in_hole(&onward.distrust.holes, at).or_else(|| in_hole(&members.holes, at));
    if let Some(by) = it.labels.iter().find_map(|it| in_any_hole(it.span)) {
        return Some(by);
    }
    let index = members.find(&it.address)?;
    let may_declare = |index: usize, name: &str| {
        let member = members.get(index);
        let by = onward.distrust(&member).may_declare(name)?;
        Some(by.shifted(member.shift))
    };
    let called = || {
        let calls = members.get(index).module.calls.keys();
        calls.filter_map(|call| members.called(index, call))
    };
    let is_of_declaration = match &it.cause {
        Some(Cause::Reference(cause)) => is_of_declaration(cause),
        // The target of an `import`.
        _ => it.rule == lints::UNDECLARED_REFERENCE,
    };
    match &it.cause {
        // Nobody knows what an output needs that was not read.
        Some(Cause::Cycle(called)) => called.iter().find_map(|address| {
            let member = members.get(members.find(address)?);
            Some(onward.distrust(&member).partial?.shifted(member.shift))
        }),
        Some(Cause::Provider | Cause::CallersProvider) => {
            let within = std::iter::successors(Some(index), |it| Some(members.get(*it).caller?.0));
            let callees = members.get(index).module.calls.keys();
            let callees = callees.filter_map(|call| members.called(index, call));
            within
                .chain(callees)
                .find_map(|it| PROVIDERS.iter().find_map(|word| may_declare(it, word)))
        }
        Some(Cause::Evaluation(EvalError::UnknownProviderFunction)) => {
            may_declare(index, "required_providers")
        }
        _ if is_of_declaration => {
            let (text, names) = names(members, it);
            let [first, rest @ ..] = names.as_slice() else { return None };
            let by = may_declare(index, first);
            let is_of_one_name =
                ["var.", "local.", "module."].iter().any(|it| text.starts_with(it));
            match rest.first() {
                // In a called module's part of an address.
                Some(second) if text.starts_with("module.") => {
                    by.or_else(|| called().find_map(|it| may_declare(it, second)))
                }
                // A resource has a type and a name.
                Some(second) if !is_of_one_name => by.and_then(|_| may_declare(index, second)),
                _ => by,
            }
        }
        // The attributes of a called module are its outputs.
        Some(Cause::Evaluation(EvalError::UnsupportedAttribute | EvalError::InvalidIndex)) => {
            let (_, names) = names(members, it);
            called().find_map(|called| names.iter().find_map(|name| may_declare(called, name)))
        }
        _ => None,
    }
}

/// The error that makes it uncertain whether a called module lacks a variable that a call gives, or requires one that
/// the call does not give.
pub(super) fn uncertain_argument(
    members: &Members<'_>,
    onward: Onward<'_>,
    it: &Diagnostic,
) -> Option<Span> {
    if it.cause == Some(Cause::Provider) {
        return uncertain(members, onward, it);
    }
    let member = members.get(members.find(&it.address)?);
    if let Some(by) = uncertain_call(members, onward, &member) {
        return Some(by);
    }
    let (distrust, name) = (onward.distrust(&member), it.variable.as_ref()?);
    let by = if it.rule == lints::MISSING_ARGUMENT {
        in_hole(&distrust.holes, member.module.variables.get(name)?.span)
    } else {
        distrust.may_declare(name)
    };
    Some(by?.shifted(member.shift))
}

/// The error that makes it uncertain what the call of a member says.
fn uncertain_call(members: &Members<'_>, onward: Onward<'_>, member: &Member<'_>) -> Option<Span> {
    let (caller, call) = member.caller?;
    let caller = members.get(caller);
    let by = onward.distrust(&caller).hides(&call.name, call.span)?;
    Some(by.shifted(caller.shift))
}

/// Whether an error depends on how something is declared.
fn is_of_declaration(cause: &ReferenceError) -> bool {
    use ReferenceError::{InvalidKey, MissingKey, OfCheck, UnexpectedKey};
    let is_of_kind = matches!(cause, UnexpectedKey | MissingKey | InvalidKey | OfCheck(_));
    is_of_kind || cause.is_undeclared()
}

/// Words of blocks and arguments that say which providers a module has.
const PROVIDERS: [&str; 3] = ["provider", "providers", "required_providers"];

/// Words of references that name nothing themselves.
const ROOTS: [&str; 6] = ["var", "local", "module", "data", "resource", "ephemeral"];

/// The text at the place of a finding, and the names in it.
fn names(members: &Members<'_>, it: &Diagnostic) -> (String, Vec<String>) {
    let Some(span) = it.span() else { return Default::default() };
    let file = members.get(0).module.sources.file(span.file);
    let text = String::from_utf8_lossy(file.bytes.get(span.range()).unwrap_or_default());
    let names = words(&text).filter(|it| !ROOTS.contains(it)).map(str::to_owned);
    (text.to_string(), names.collect())
}

fn is_of_override(module: &Module, hole: Span) -> bool {
    let path = Path::new(&module.sources.file(hole.file).path);
    path.file_name().and_then(|it| it.to_str()).is_some_and(is_override_file)
}

/// The part of a file that an error makes uncertain: the block around it, or all between the blocks around it.
fn hole(module: &Module, by: Span, parsed: &mut HashMap<FileId, Vec<Item>>) -> Span {
    let file = module.sources.file(by.file);
    let whole = Span::new(by.file, 0, file.bytes.len());
    if is_json_file(&file.path) {
        return whole;
    }
    let items = parsed.entry(by.file).or_insert_with(|| parse_body(by.file, &file.bytes).0.items);
    let hole = within(items, whole, by);
    // A brace too many closes a block too early.
    let holds = |it: Span| it.start <= by.start && by.start < it.end;
    let is_between = !items.iter().any(|it| holds(it.span()));
    if is_between && file.bytes.get(by.start as usize) == Some(&b'}') {
        return Span { start: before_brace(items, &file.bytes, hole.start), ..hole };
    }
    hole
}

/// The beginning of the block that may be closed too early by a brace too many: the nearest that begins its line. What
/// is indented after it belongs to it.
fn before_brace(items: &[Item], bytes: &[u8], start: u32) -> u32 {
    let before = items.iter().rev().map(Item::span).filter(|it| it.start < start);
    let is_at_margin =
        |it: &Span| it.start == 0 || bytes.get(it.start as usize - 1) == Some(&b'\n');
    before.into_iter().find(is_at_margin).map_or(0, |it| it.start)
}

fn within(items: &[Item], whole: Span, by: Span) -> Span {
    let mut gap = whole;
    for item in items {
        let span = item.span();
        if span.end < by.start {
            gap.start = span.end;
        } else if span.start > by.start {
            gap.end = span.start;
            break;
        } else {
            match item {
                Item::Block(it) if it.kind.name == "locals" && it.body.span.start <= by.start => {
                    return within(&it.body.items, it.body.span, by);
                }
                Item::Block(_) => return span,
                // What follows may have been meant as part of its value.
                Item::Attribute(_) => gap.start = span.start,
            }
        }
    }
    gap
}
