//! Values files that are used together, judged behind all errors.
//!
//! Every value is judged, whatever else is wrong: its type, its attributes, and each of its rules whose variables
//! have usable values. What a problem keeps from being judged is listed with the problem's place.

use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    inputs::InputSet,
    rules::{
        missing_variable, schema_violation::Validator, undeclared_value::Undeclared,
        unknown_attribute,
    },
    subject::{Block, Subject},
};
use crate::{
    diagnostic::{
        Cause, Diagnostic, Diagnostics, Level, ReferenceError, Rule, Span, has_errors, rules,
    },
    inputs::{Input, Layer, Origin},
    system::paths,
    verdict::{Read, Ready},
};

/// What is found about a set.
pub(super) struct SetOutcome {
    pub found: Diagnostics,
    pub blocked: Vec<Block>,
}

/// Judges values that are used together. `place`: where a finding about all of them is placed. `beside`: the
/// variables of the files that may come with them.
#[expect(clippy::too_many_lines, reason = "one stage after the other")]
pub(super) fn check(
    subject: &Subject<'_>,
    set: &InputSet,
    mut read: Read,
    place: Option<Span>,
    beside: impl Fn() -> Rc<HashSet<SmolStr>>,
    validator: &Validator<'_>,
) -> SetOutcome {
    let module = &subject.module;
    let owners = owners(&read.layers);
    let (mut unusable, unread) = read.trusted();
    let undeclared = Undeclared::of(module, &read.layers);
    let mut ready = read.collect(module, subject.setting());
    undeclared.fix(&mut ready.said, &module.sources, subject.request.fixes_inputs_now());
    ready.leave_out(&mut unusable);
    ready.leave_open(|it| !unusable.contains_key(it) && set.leaves_open(&subject.settings, it));
    let mut said = std::mem::take(&mut ready.said);
    let mut names = missing_variable::take_out(&mut said);
    names.retain(|it| unread.is_none() && !unusable.contains_key(it.as_str()));
    let lacks_any = !names.is_empty();
    if set.is_by_place() && lacks_any {
        let parts = beside();
        names.retain(|name| !parts.contains(name.as_str()));
    }
    let shown: Vec<String> = set.files.iter().map(|it| paths::display(it)).collect();
    if let Some(level) = set.missing {
        // What hangs on one is not judged, also where the finding about it is ignored.
        if let Some(by) = place {
            unusable.extend(names.iter().map(|it| (SmolStr::new(it), Some(by))));
        }
        said.extend(missing_variable::found(subject, names, level, &shown, place));
    }
    if let Some(by) = unread {
        let others = module.variables.keys().filter(|it| !ready.values.contains_key(*it));
        others.for_each(|it| _ = unusable.entry(it.clone()).or_insert(Some(by)));
    }
    let judgement = ready.judge_all(&unusable);
    // Variables whose values are not wholly judged.
    let partly = judgement.blocked.iter().filter_map(|it| it.variable.clone());
    let partly: HashSet<SmolStr> = partly.collect();
    let mut blocked: Vec<Block> = judgement
        .blocked
        .into_iter()
        .map(|it| Block {
            by: it.by,
            part: it.part,
            is_own: it.is_own,
            file: it.variable.and_then(|name| owners.get(&name).cloned()),
        })
        .collect();
    let mut own = judgement.diagnostics;
    // Values from elsewhere come with these, and may replace the defaults used here.
    let is_part = || set.is_by_place() && !set.files.is_empty() && !beside().is_empty();
    let is_incomplete = || set.missing.is_none() || lacks_any || is_part();
    if has_errors(&own) && is_incomplete() {
        leave_open(&mut own, &ready);
    }
    said.extend(own);
    if let Some(by) = unread {
        let file = module.sources.file(by.file).path.clone();
        blocked.push(Block {
            by,
            part: format!("the rest of {file}"),
            file: Some(file),
            is_own: false,
        });
    }
    blocked.extend(uncertain(subject, &mut said, &owners));
    let judged: Vec<Diagnostics> = ready
        .values
        .iter()
        .map(|(name, input)| value(subject, (name, input), &said, partly.contains(name), validator))
        .collect();
    said.extend(judged.into_iter().flatten());
    for (name, by) in &module.distrusted().variables {
        if let (Some(by), true) = (by, ready.values.contains_key(name)) {
            let file = owners.get(name).cloned();
            blocked.push(Block { by: *by, part: format!("var.{name}"), file, is_own: false });
        }
    }
    SetOutcome { found: said, blocked }
}

/// Findings about values that a later source of the same kind overrides. Terraform never looks at them, so none of
/// them is an error.
pub(super) fn overridden(subject: &Subject<'_>, layers: &[Layer]) -> Diagnostics {
    let module = &subject.module;
    let mut found = Diagnostics::new();
    for (at, layer) in layers.iter().enumerate() {
        let mut hidden = layer.clone();
        hidden
            .entries
            .retain(|name, _| layers[at + 1..].iter().any(|it| it.entries.contains_key(name)));
        if hidden.entries.is_empty() {
            continue;
        }
        let ready = Read::of(vec![hidden]).collect(module, subject.setting());
        let (_, problems) = ready.final_values();
        let is_of_value = |it: &Diagnostic| {
            it.rule == rules::TYPE_MISMATCH
                && it.variable.as_ref().is_some_and(|name| ready.values.contains_key(name))
        };
        found.extend(problems.into_iter().filter(is_of_value));
        for (name, input) in &ready.values {
            let Some(variable) = module.variables.get(name) else { continue };
            let product = subject.release.product();
            let sources = &module.sources;
            let given = unknown_attribute::Given { variable, declared: sources, input, sources };
            found.extend(unknown_attribute::check(given, product, subject.request.keeps_all));
        }
    }
    let uncertain = &module.distrusted().variables;
    found.retain(|it| it.variable.as_ref().is_none_or(|name| !uncertain.contains_key(name)));
    let help = "another values file overrides this value";
    let found = found.into_iter().map(|it| {
        let level = it.level.min(Level::Warning);
        it.level(level).help(help)
    });
    found.collect()
}

/// The file that gives each variable its value.
fn owners(layers: &[Layer]) -> HashMap<SmolStr, String> {
    let mut owners = HashMap::default();
    for layer in layers {
        let Origin::File(path) = &layer.origin else { continue };
        owners.extend(layer.entries.keys().map(|it| (it.clone(), path.clone())));
    }
    owners
}

/// Findings about a value that no verdict makes.
fn value(
    subject: &Subject<'_>,
    (name, input): (&SmolStr, &Input),
    said: &Diagnostics,
    is_blocked: bool,
    validator: &Validator<'_>,
) -> Diagnostics {
    let module = &subject.module;
    let Some(variable) = module.variables.get(name) else { return Vec::new() };
    if module.distrusted().variables.contains_key(name) {
        return Vec::new();
    }
    let product = subject.release.product();
    let sources = &module.sources;
    let given = unknown_attribute::Given { variable, declared: sources, input, sources };
    let mut found = unknown_attribute::check(given, product, subject.request.keeps_all);
    let is_own = |it: &&Diagnostic| it.address.is_empty() && it.variable.as_ref() == Some(name);
    let own = || said.iter().chain(&found).filter(is_own);
    if !is_blocked && !own().any(Diagnostic::is_error) {
        let is_accepted = own().next().is_none();
        let violations = validator.check(variable, input, is_accepted);
        found.extend(violations);
    }
    found
}

/// Takes out findings that may only follow from a part of the module that could not be read, and returns what is
/// not judged therefore.
fn uncertain(
    subject: &Subject<'_>,
    said: &mut Diagnostics,
    owners: &HashMap<SmolStr, String>,
) -> Vec<Block> {
    let module = &subject.module;
    let distrust = module.distrusted();
    let mut blocked = Vec::new();
    if distrust.holes.is_empty() {
        return blocked;
    }
    said.retain(|it| {
        let name = it.variable.as_ref().filter(|_| it.rule == rules::UNDECLARED_VARIABLE);
        let Some(name) = name else { return true };
        let Some(by) = distrust.may_declare(module, name) else { return true };
        let file = owners.get(name).cloned();
        blocked.push(Block { by, part: format!("var.{name}"), file, is_own: false });
        false
    });
    blocked.extend(undeclared(subject, said));
    blocked
}

/// Takes out references to what a part that could not be read may declare.
pub(super) fn undeclared(subject: &Subject<'_>, said: &mut Diagnostics) -> Vec<Block> {
    let module = &subject.module;
    let distrust = module.distrusted();
    let mut blocked = Vec::new();
    if distrust.holes.is_empty() {
        return blocked;
    }
    said.retain(|it| {
        let is_undeclared = matches!(
            it.cause,
            Some(Cause::Reference(
                ReferenceError::UndeclaredVariable
                    | ReferenceError::UndeclaredLocal
                    | ReferenceError::UndeclaredModule
                    | ReferenceError::UndeclaredResource
            ))
        );
        let span = it.span().filter(|_| is_undeclared && it.address.is_empty());
        let Some(span) = span else { return true };
        let file = module.sources.file(span.file);
        let text = file.bytes.get(span.range()).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '-';
        let mut names = text
            .split(|sign| !is_of_name(sign))
            .filter(|word| !word.is_empty() && !ROOTS.contains(word));
        let Some(by) = names.find_map(|name| distrust.may_declare(module, name)) else {
            return true;
        };
        blocked.push(Block { by, part: text.to_string(), file: None, is_own: false });
        false
    });
    blocked
}

/// Words of references that name nothing themselves.
const ROOTS: [&str; 6] = ["var", "local", "module", "data", "resource", "ephemeral"];

/// Weakens diagnostics that may only follow from defaults, which values from elsewhere replace.
fn leave_open(own: &mut Diagnostics, ready: &Ready<'_>) {
    let is_given = |name: &SmolStr| ready.values.contains_key(name);
    let may_be_of_default = |it: &&mut Diagnostic| {
        let is_of_given =
            it.rule == rules::FAILED_VALIDATION && it.variable.as_ref().is_some_and(is_given);
        it.is_error() && it.of_default && it.rule.is_one_of(&OF_VALUES) && !is_of_given
    };
    own.iter_mut().filter(may_be_of_default).for_each(|it| {
        it.detail = format!("With the values that are here the plan fails: {}", it.message());
        "These files are incomplete, and more values may change this".clone_into(&mut it.summary);
        (it.rule, it.level) = ((&rules::UNDECIDED_VALIDATION).into(), Level::Warning);
    });
}

/// Rules whose errors depend on all values together.
const OF_VALUES: [&Rule; 5] = [
    &rules::FAILED_VALIDATION,
    &rules::FAILED_CONDITION,
    &rules::FAILED_EVALUATION,
    &rules::INVALID_COUNT,
    &rules::INVALID_FOR_EACH,
];
