//! Values files that are used together, judged behind all errors.
//!
//! Every value is judged, whatever else is wrong: its type, its attributes, and each of its rules whose variables
//! have usable values. What a problem keeps from being judged is listed with the problem's place.

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    examples,
    inputs::InputSet,
    parts::Beside,
    rules::{
        deprecated, missing_variable, schema_violation::Validator, undeclared_value::Undeclared,
        unknown_attribute,
    },
    subject::{Block, CheckedModule},
};
use diagnostics::{Diagnostic, Diagnostics, LevelReason, Lint, Span, has_errors, lints};
use module::inputs::{Input, InputSource, Layer};
use system::paths;
use verdict::{BlockedPart, Read, Ready, Unusable, in_hole};

/// What is found about a set.
pub(super) struct SetOutcome {
    pub found: Diagnostics,
    pub blocked: Vec<Block>,
}

/// Judges values that are used together. `place`: where a finding about all of them is placed. `beside`: the
/// files that may come with them.
pub(super) fn check(
    subject: &CheckedModule<'_>,
    set: &InputSet,
    mut read: Read,
    place: Option<Span>,
    beside: Option<&Beside<'_>>,
    validator: &Validator<'_>,
) -> SetOutcome {
    let module = &subject.module;
    let owners = owners(&read.layers);
    let second = read.with_second_values();
    let mut blocked = further_values(&read.layers);
    let (mut unusable, unread) = read.trusted();
    let undeclared = Undeclared::of(module, &read.layers);
    let mut ready = read.collect(module, subject.setting());
    undeclared.fix(&mut ready.diagnostics, &module.sources, subject.request.fixes_inputs_now());
    if set.is_example {
        undeclared.trust_renames(&mut ready.diagnostics);
    }
    ready.leave_out(&mut unusable);
    ready.leave_open(|it| !unusable.contains_key(it) && set.leaves_open(&subject.settings, it));
    let mut diagnostics = std::mem::take(&mut ready.diagnostics);
    let mut names = std::mem::take(&mut ready.missing);
    // A variable that was read in part may have a default.
    let is_whole = |name: &str| {
        let declared = module.variables.get(name).map(|it| it.span);
        declared.is_none_or(|it| in_hole(&module.distrusted().holes, it).is_none())
    };
    names.retain(|it| unread.is_none() && !unusable.contains_key(it) && is_whole(it));
    let lacks_any = !names.is_empty();
    if set.is_by_location() && lacks_any {
        names.retain(|name| !beside.is_some_and(|it| it.gives(name, subject)));
    }
    let shown: Vec<String> = set.files.iter().map(|it| paths::display(it)).collect();
    if let Some(level) = set.missing {
        // What hangs on one is not judged, also where the finding about it is ignored.
        if let Some(by) = place {
            unusable.extend(names.iter().map(|it| (it.clone(), Some(by))));
        }
        let lacking = |name: &SmolStr| {
            let part = format!("var.{name}");
            Some(Block { by: place?, part, file: None, is_own: true })
        };
        let lacking: Vec<Block> = names.iter().filter_map(lacking).collect();
        let names = names.iter().map(ToString::to_string).collect();
        diagnostics.extend(missing_variable::found(subject, names, level, &shown, place));
        blocked.extend(lacking);
    }
    if let Some(by) = unread {
        let others = module.variables.keys().filter(|it| !ready.values.contains_key(*it));
        others.for_each(|it| _ = unusable.entry(it.clone()).or_insert(Some(by)));
    }
    let judgement =
        if set.is_example { ready.judge_partial(&unusable) } else { ready.judge_all(&unusable) };
    // Variables whose values are not completely judged.
    let partly = judgement.blocked.iter().filter_map(|it| it.variable.clone());
    let partly: HashSet<SmolStr> = partly.collect();
    blocked.extend(judgement.blocked.into_iter().map(|it| block(it, &owners)));
    let mut own = judgement.diagnostics;
    if set.is_example {
        own.iter_mut().for_each(examples::point_to_values);
    }
    // Values from elsewhere come with these, and may replace the defaults used here.
    let is_part = || {
        set.is_by_location()
            && !set.files.is_empty()
            && beside.is_some_and(|it| it.are_any(subject))
    };
    let is_incomplete = || set.missing.is_none() || lacks_any || is_part();
    if has_errors(&own) && is_incomplete() {
        leave_open(&mut own, &ready, set.is_example);
    }
    diagnostics.extend(own);
    if let Some(by) = unread {
        let file = module.sources.file(by.file).path.clone();
        blocked.push(Block {
            by,
            part: format!("the rest of {file}"),
            file: Some(file),
            is_own: false,
        });
    }
    blocked.extend(uncertain(subject, &mut diagnostics, &owners));
    let judged: Vec<Diagnostics> = ready
        .values
        .iter()
        .map(|(name, input)| {
            value(subject, name, input, &diagnostics, partly.contains(name), validator)
        })
        .collect();
    diagnostics.extend(judged.into_iter().flatten());
    if let Some((read, names)) = second {
        let other = check_second(subject, set, read, &names, &unusable, validator);
        diagnostics.extend(other.found);
        blocked.extend(other.blocked);
    }
    for (name, by) in &module.distrusted().variables {
        if let (Some(by), true) = (by, ready.values.contains_key(name)) {
            let file = owners.get(name).cloned();
            blocked.push(Block { by: *by, part: format!("var.{name}"), file, is_own: false });
        }
    }
    SetOutcome { found: diagnostics, blocked }
}

/// Judges the second values of these names, which a file sets twice. A repair of the file may keep either.
fn check_second(
    subject: &CheckedModule<'_>,
    set: &InputSet,
    mut read: Read,
    names: &HashSet<SmolStr>,
    unusable: &Unusable,
    validator: &Validator<'_>,
) -> SetOutcome {
    let module = &subject.module;
    let owners = owners(&read.layers);
    let mut unusable = unusable.clone();
    unusable.retain(|name, _| !names.contains(name));
    unusable.extend(read.trusted().0);
    read.diagnostics.clear();
    let mut ready = read.collect(module, subject.setting());
    ready.leave_out(&mut unusable);
    ready.leave_open(|it| !unusable.contains_key(it) && set.leaves_open(&subject.settings, it));
    let is_of_second = |it: &Option<SmolStr>| it.as_ref().is_some_and(|name| names.contains(name));
    let judgement = ready.judge_all(&unusable);
    let mut found = judgement.diagnostics;
    found.retain(|it| it.address.is_empty() && is_of_second(&it.variable));
    let is_unreadable = |it: &Diagnostic| it.rule == lints::INVALID_INPUT_SYNTAX;
    found.extend(std::mem::take(&mut ready.diagnostics).into_iter().filter(is_unreadable));
    let blocked = judgement.blocked.into_iter().filter(|it| is_of_second(&it.variable));
    let blocked: Vec<Block> = blocked.map(|it| block(it, &owners)).collect();
    let partly = |name: &SmolStr| unusable.contains_key(name);
    let values = ready.values.iter().filter(|it| names.contains(it.0));
    let judged: Vec<Diagnostics> = values
        .map(|(name, it)| value(subject, name, it, &found, partly(name), validator))
        .collect();
    found.extend(judged.into_iter().flatten());
    SetOutcome { found, blocked }
}

/// Values of names that a file sets before the second time; these are not judged.
fn further_values(layers: &[Layer]) -> Vec<Block> {
    let mut blocked = Vec::new();
    for layer in layers {
        let InputSource::File(path) = &layer.origin else { continue };
        let mut seen = HashSet::default();
        for (name, it) in layer.repeated.iter().filter(|(name, _)| !seen.insert(name.clone())) {
            let (by, file) = (it.name_span, Some(path.clone()));
            blocked.push(Block { by, part: format!("var.{name}"), file, is_own: false });
        }
    }
    blocked
}

/// What a problem keeps from being judged, with the file that it is about.
fn block(it: BlockedPart, owners: &HashMap<SmolStr, String>) -> Block {
    let BlockedPart { part, variable, by, is_own } = it;
    let file = variable.and_then(|name| owners.get(&name).cloned());
    Block { by, part, file, is_own }
}

/// Findings about values that a later source of the same kind overrides. Terraform never looks at them, so none of
/// them is an error.
pub(super) fn overridden(subject: &CheckedModule<'_>, layers: &[Layer]) -> Diagnostics {
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
            it.rule == lints::TYPE_MISMATCH
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
    found.into_iter().map(|it| it.because(LevelReason::Overridden).help(help)).collect()
}

/// The file that gives each variable its value.
fn owners(layers: &[Layer]) -> HashMap<SmolStr, String> {
    let mut owners = HashMap::default();
    for layer in layers {
        let InputSource::File(path) = &layer.origin else { continue };
        owners.extend(layer.entries.keys().map(|it| (it.clone(), path.clone())));
    }
    owners
}

/// Findings about a value that no verdict makes.
fn value(
    subject: &CheckedModule<'_>,
    name: &SmolStr,
    input: &Input,
    diagnostics: &Diagnostics,
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
    let own = || diagnostics.iter().chain(&found).filter(is_own);
    if !is_blocked && !own().any(Diagnostic::is_error) {
        let is_accepted = own().next().is_none();
        let violations = validator.check(variable, input, is_accepted);
        found.extend(violations);
    }
    if !(input.value.is_null() && input.value.is_known()) {
        found.extend(deprecated::value(variable, input.name_span, variable.span));
    }
    found
}

/// Takes out values for variables that a part of the module may declare which could not be read, and returns them.
fn uncertain(
    subject: &CheckedModule<'_>,
    diagnostics: &mut Diagnostics,
    owners: &HashMap<SmolStr, String>,
) -> Vec<Block> {
    let module = &subject.module;
    let mut blocked = Vec::new();
    diagnostics.retain(|it| {
        let name = it.variable.as_ref().filter(|_| it.rule == lints::UNDECLARED_VARIABLE);
        let Some(name) = name else { return true };
        let Some(by) = module.distrusted().may_declare(name) else { return true };
        let file = owners.get(name).cloned();
        blocked.push(Block { by, part: format!("var.{name}"), file, is_own: false });
        false
    });
    blocked
}

/// Weakens diagnostics that may only follow from defaults, which values from elsewhere replace.
fn leave_open(own: &mut Diagnostics, ready: &Ready<'_>, is_example: bool) {
    let is_given = |name: &SmolStr| ready.values.contains_key(name);
    let may_be_of_default = |it: &&mut Diagnostic| {
        let is_of_given =
            it.rule == lints::FAILED_VALIDATION && it.variable.as_ref().is_some_and(is_given);
        it.is_error() && it.of_default && it.rule.is_one_of(&OF_VALUES) && !is_of_given
    };
    let (summary, detail) = if is_example {
        let summary = "The example leaves variables open, and their values may change this";
        (summary, "With their defaults the plan fails")
    } else {
        let summary =
            "These files do not set all required variables, and the missing values may change this";
        (summary, "With the values in these files the plan fails")
    };
    own.iter_mut().filter(may_be_of_default).for_each(|it| {
        it.detail = format!("{detail}: {}", it.message());
        summary.clone_into(&mut it.summary);
        *it = it.clone().under(&lints::UNDECIDED_VALIDATION);
    });
}

/// Rules whose errors depend on all values together.
pub(super) const OF_VALUES: [&Lint; 5] = [
    &lints::FAILED_VALIDATION,
    &lints::FAILED_CONDITION,
    &lints::FAILED_EVALUATION,
    &lints::INVALID_COUNT,
    &lints::INVALID_FOR_EACH,
];
