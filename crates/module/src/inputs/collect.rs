//! Selects the winning value of each variable and evaluates it.

use std::sync::Arc;

use super::{
    GivenValue, InputSource, SourceLocation, given, locate, read::Layer, values_file::ValuesEntry,
};
use crate::{ByName, Variable, can_name_variable};
use diagnostics::{
    Cause, Diagnostic, Diagnostics, Edit, EvalError, Fix, Label, LevelReason, MOST_OF_A_KIND, Role,
    Safety, Span, lints, suggestion,
};
use indexmap::IndexMap;
use release::Release;
use smol_str::SmolStr;
use tf_eval::Meter;
use tf_value::{Marks, Path, Value};

/// The value given to a variable, before conversion.
#[derive(Clone, Debug)]
pub struct Input {
    pub value: Value,
    pub origin: InputSource,
    pub name_span: Span,
    pub given: Arc<GivenValue>,
}

/// Values of declared variables, in the order of declaration. A variable without a value, or with an
/// erroneous one, is missing.
pub type Collected = IndexMap<SmolStr, Input>;

impl Input {
    /// A value that comes from elsewhere: nothing but its type is known.
    pub fn open(variable: &Variable) -> Input {
        let ty = variable.constraint.ty.without_optional();
        let value = Value::unknown(ty).with_marks(Marks::UNDECIDED);
        let given = GivenValue::Text { text: String::new(), span: variable.span };
        let origin = InputSource::Environment(format!("TF_VAR_{}", variable.name));
        Input { value, origin, name_span: variable.span, given: given.into() }
    }

    /// The place of the part at `path` inside the value.
    pub fn locate(&self, path: &Path) -> SourceLocation {
        locate(&self.given, path)
    }

    /// Where the value begins and ends.
    pub fn span(&self) -> Span {
        self.given.span()
    }
}

/// Takes the winning value of each declared variable and evaluates it. Diagnostics: a value that is not
/// constant, a value for a variable that is not declared (`undeclared-variable`, an error only for `-var`). What the
/// values lack is the answer of [`without_value`].
pub fn collect(
    variables: &ByName<Variable>,
    layers: Vec<Layer>,
    release: Release,
    meter: &Meter,
) -> (Collected, Diagnostics) {
    let mut winners = winners(layers);
    let mut counts = Undeclared::default();
    let mut collected = Collected::new();
    let mut diagnostics = Vec::new();
    for (name, variable) in variables {
        if let Some((origin, entry)) = winners.get_mut(name).and_then(Option::take) {
            match evaluate(variable, origin, entry, release, meter) {
                Ok(input) => {
                    collected.insert(name.clone(), input);
                }
                Err(problems) => diagnostics.extend(problems),
            }
        }
    }
    for (name, winner) in winners {
        let Some((origin, entry)) = winner else { continue };
        if is_reported(&origin, &entry, release, meter) && counts.has_room(&origin, &entry) {
            diagnostics.push(undeclared(variables, &name, &origin, &entry));
        }
    }
    diagnostics.extend(counts.rest());
    (collected, diagnostics)
}

/// The number of undeclared values in each file, and the place of the first that was not reported.
#[derive(Default)]
struct Undeclared(IndexMap<String, (usize, Option<Span>)>);

impl Undeclared {
    /// Counts one more in its file; values of the command line are all reported.
    fn has_room(&mut self, origin: &InputSource, entry: &ValuesEntry) -> bool {
        let InputSource::File(path) = origin else { return true };
        let (count, first) = self.0.entry(path.clone()).or_default();
        *count += 1;
        let has_room = *count <= MOST_OF_A_KIND;
        if !has_room {
            first.get_or_insert(entry.name_span);
        }
        has_room
    }

    /// One finding about the remaining ones of each file.
    fn rest(self) -> impl Iterator<Item = Diagnostic> {
        self.0.into_values().filter_map(|(count, first)| {
            let summary = "More values for undeclared variables";
            let more = count - MOST_OF_A_KIND.min(count);
            let detail = format!(
                "The file sets {more} more undeclared variables, which are not \
                listed."
            );
            let diagnostic = Diagnostic::new(&lints::UNDECLARED_VARIABLE, summary)
                .detail(detail)
                .cause(Cause::More(more));
            Some(diagnostic.at(Role::Value, first?))
        })
    }
}

/// The last value of each name, in the order in which the names first appear.
fn winners(layers: Vec<Layer>) -> IndexMap<SmolStr, Option<(InputSource, ValuesEntry)>> {
    let mut winners = IndexMap::new();
    for Layer { origin, entries, .. } in layers {
        for (name, entry) in entries {
            winners.insert(name, Some((origin.clone(), entry)));
        }
    }
    winners
}

fn evaluate(
    variable: &Variable,
    origin: InputSource,
    entry: ValuesEntry,
    release: Release,
    meter: &Meter,
) -> Result<Input, Diagnostics> {
    let (value, mut problems) = entry.given.evaluate(given::is_literal(variable), release, meter);
    if problems.is_empty() {
        let ValuesEntry { name_span, given } = entry;
        return Ok(Input { value, origin, name_span, given });
    }
    // Terraform blames the expression instead of the variable, which counts as not given.
    for problem in &mut problems {
        let forbidden = Some(Cause::Evaluation(EvalError::ForbiddenReference));
        if problem.cause == forbidden && matches!(origin, InputSource::File(_)) {
            problem.help = Some("if this is text, write it in quotes".to_owned());
        }
        if variable.is_hidden() {
            hide(problem, variable);
        }
    }
    Err(problems)
}

/// Removes everything from a diagnostic that would show a value.
fn hide(problem: &mut Diagnostic, variable: &Variable) {
    problem.detail =
        format!("The value is not shown, because the variable is {}.", variable.secrecy());
    problem.labels.clear();
    problem.help = None;
    let span = variable.span;
    problem.labels.push(Label { role: Role::Declaration, span, text: String::new() });
}

/// The required variables to which the values give nothing usable, in the order of declaration.
pub fn without_value<'v>(
    variables: &'v ByName<Variable>,
    collected: &'v Collected,
) -> impl Iterator<Item = &'v Variable> {
    let is_wanted = |it: &Variable| it.is_required() && can_name_variable(&it.name);
    let required = variables.iter().filter(move |(_, it)| is_wanted(it));
    required.filter(|(name, _)| !collected.contains_key(*name)).map(|(_, it)| it)
}

/// The error for a required variable without a value.
pub fn missing(variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    Diagnostic::new(&lints::MISSING_VARIABLE, "No value for required variable")
        .detail(format!("The variable \"{name}\" has no default, and no value was given."))
        .at(Role::Declaration, variable.span)
        .variable(name.clone())
}

/// The fix that renames a value. It changes what is deployed, so it is only suggested.
fn rename(entry: &ValuesEntry, name: &str) -> Fix {
    let replacement = if entry.given.is_json() { format!("\"{name}\"") } else { name.to_owned() };
    let edits = vec![Edit { span: entry.name_span, replacement, removes: None }];
    Fix { description: format!("Rename it to {name}"), edits, safety: Safety::Suggestion }
}

/// Whether Terraform reports an undeclared value: it ignores one in the environment, and one that it could not read.
fn is_reported(origin: &InputSource, entry: &ValuesEntry, release: Release, meter: &Meter) -> bool {
    match origin {
        InputSource::CommandLine => true,
        InputSource::File(_) => entry.given.evaluate(true, release, meter).1.is_empty(),
        InputSource::Environment(_) | InputSource::Call => false,
    }
}

fn undeclared(
    variables: &ByName<Variable>,
    name: &str,
    origin: &InputSource,
    entry: &ValuesEntry,
) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::new(&lints::UNDECLARED_VARIABLE, "Value for undeclared variable")
            .detail(format!("The module declares no variable \"{name}\"."));
    if *origin == InputSource::CommandLine {
        diagnostic = diagnostic.because(LevelReason::OnCommandLine);
    }
    if !name.is_empty() {
        diagnostic = diagnostic.variable(name);
    }
    if let InputSource::File(_) = origin {
        diagnostic = diagnostic.at(Role::Value, entry.name_span);
    }
    match suggestion(name, variables.keys().map(SmolStr::as_str)) {
        Some(near) => {
            let diagnostic = diagnostic.help(format!("Did you mean \"{near}\"?"));
            match origin {
                InputSource::File(_) => diagnostic.fix(rename(entry, near)),
                _ => diagnostic,
            }
        }
        None => diagnostic,
    }
}
