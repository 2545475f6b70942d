//! What cannot be trusted of a module that was read with errors.

use memchr::memmem;

use super::onward::{Hole, Unusable, in_hole};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Span, rules},
    inputs::is_json_file,
    module::Module,
    syntax::{Item, parse_body},
};

/// The parts of a module that its own errors keep from being judged.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Distrust {
    /// Parts that were not read, or not to their end.
    pub holes: Vec<Hole>,
    /// Variables whose types are uncertain.
    pub variables: Unusable,
    /// Variables whose defaults are uncertain.
    pub defaults: Unusable,
    /// The error because of which declarations may be missing.
    pub partial: Option<Span>,
    /// The error because of which variables may be missing, or parts of them.
    pub lacks_variables: Option<Span>,
}

impl Distrust {
    /// `found`: the diagnostics of loading the module.
    pub fn of(module: &Module, found: &Diagnostics) -> Distrust {
        let mut distrust = Distrust::default();
        let own = |it: &&Diagnostic| it.is_error() && it.address.is_empty();
        for it in found.iter().filter(own) {
            let Some(by) = it.span() else { continue };
            if it.rule.is_one_of(&[
                &rules::INVALID_SYNTAX,
                &rules::UNREADABLE_FILE,
                &rules::OUTSIDE_ROOT,
            ]) {
                distrust.partial.get_or_insert(by);
                let span = hole(module, by);
                distrust.holes.push(Hole { span, by });
                if may_matter(module, span) {
                    distrust.lacks_variables.get_or_insert(by);
                }
            } else if it.rule == rules::INVALID_VARIABLE {
                distrust.variable(module, it, by);
            }
        }
        for (name, variable) in &module.variables {
            if let Some(by) = in_hole(&distrust.holes, variable.span) {
                distrust.variables.insert(name.clone(), Some(by));
            }
        }
        distrust
    }

    /// The error because of which it is uncertain whether the module declares a name.
    pub fn may_declare(&self, module: &Module, name: &str) -> Option<Span> {
        let holds = |it: &&Hole| {
            let bytes = &module.sources.file(it.span.file).bytes;
            let text = bytes.get(it.span.range()).unwrap_or_default();
            bytes.is_empty() || memmem::find(text, name.as_bytes()).is_some()
        };
        self.holes.iter().find(holds).map(|it| it.by)
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

/// Whether a part that was not read may declare variables, or what their rules refer to.
fn may_matter(module: &Module, hole: Span) -> bool {
    let bytes = &module.sources.file(hole.file).bytes;
    let text = bytes.get(hole.range()).unwrap_or_default();
    let words = [&b"variable"[..], b"locals"];
    bytes.is_empty() || words.iter().any(|it| memmem::find(text, it).is_some())
}

/// The part of a file that an error makes uncertain: the block around it, or all between the blocks around it.
fn hole(module: &Module, by: Span) -> Span {
    let file = module.sources.file(by.file);
    let whole = Span::new(by.file, 0, file.bytes.len());
    if is_json_file(&file.path) {
        return whole;
    }
    let (body, _) = parse_body(by.file, &file.bytes);
    within(&body.items, whole, by)
}

fn within(items: &[Item], whole: Span, by: Span) -> Span {
    let mut gap = whole;
    for item in items {
        let span = match item {
            Item::Attribute(it) => it.span,
            Item::Block(it) => it.span,
        };
        if span.end < by.start {
            gap.start = span.end;
        } else if span.start > by.start {
            gap.end = span.start;
            break;
        } else {
            return match item {
                Item::Block(it) if it.kind.name == "locals" => {
                    within(&it.body.items, it.body.span, by)
                }
                _ => span,
            };
        }
    }
    gap
}
