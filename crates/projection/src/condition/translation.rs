//! The translation of a variable's `validation` blocks.

use super::{error_message, expressions, never, null_elements, patterns, refused};
use crate::{
    condition::{context::Context, symbolic::Place},
    sets,
    sets::{Assignments, ConstraintRoot, Extent, Loss, Reason, Region, ValueSet, in_words},
};
use diagnostics::{Diagnostic, Role, Span, lints};
use module::{Module, Variable};
use tf_eval::Meter;

/// The characters of a pattern that a finding shows.
const LONGEST_SHOWN: usize = 120;

/// A `validation` block as a constraint on its variable's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// 0-based index of the block in its variable.
    pub validation: usize,
    /// The values for which the condition is true. Only its demands on this variable alone count here.
    pub region: Region,
    /// The constraint on several variables together: on the object of all inputs, which must be complete. An
    /// absent variable means its default.
    pub inputs: ValueSet,
    /// Patterns in the sets that an engine which backtracks may read for very long; see
    /// [`Translation::rewrite_patterns`].
    pub slow_patterns: Vec<String>,
    /// Why Terraform refuses the rule, whatever the values are.
    pub refusal: Option<Diagnostic>,
}

impl Translation {
    pub fn fidelity(&self) -> Fidelity {
        match (self.region.is_exact(), &self.region.values, &self.inputs) {
            (true, ..) => Fidelity::Exact,
            (false, ValueSet::Anything, ValueSet::Anything) => Fidelity::Untranslated,
            (false, ..) => Fidelity::Necessary,
        }
    }

    /// Whether it has lengths of "at least 0".
    pub fn has_zero_minimums(&self) -> bool {
        self.region.values.has_zero_minimums() || self.inputs.has_zero_minimums()
    }

    /// Leaves out lengths of "at least 0", which refuse nothing.
    pub fn drop_zero_minimums(&mut self) {
        self.region.values.drop_zero_minimums();
        self.inputs.drop_zero_minimums();
    }

    /// Rewrites patterns so that an engine which backtracks reads them in linear time, if possible, and notes
    /// the others.
    pub fn rewrite_patterns(&mut self, meter: &Meter) {
        let Translation { region, inputs, slow_patterns, .. } = self;
        let is_known = patterns::is_of_addresses;
        patterns::linear(&mut region.values, slow_patterns, is_known, meter);
        patterns::linear(inputs, slow_patterns, is_known, meter);
    }

    /// The values in words, such as `a string of 3 to 63 characters`; `None` if the rule says nothing of the
    /// variable alone. If the translation is not exact, the condition demands more.
    pub fn in_words(&self, variable: &Variable) -> Option<String> {
        let Region { values, null, .. } = &self.region;
        let ty = variable.type_with_null_attributes();
        let null = *null && variable.is_nullable();
        // `length(var.x) > 3 && length(var.x) < 2` accepts nothing, not "a string of 4 to 1 characters".
        let values = if sets::is_empty(values, ty, &mut 0) { &ValueSet::Nothing } else { values };
        let named = |pattern: &str| {
            let (_, title) = patterns::named(pattern)?;
            let mut rest = title.chars();
            Some(rest.next()?.to_lowercase().chain(rest).collect())
        };
        let words = || in_words(values, ty, null, &named);
        match values {
            ValueSet::Anything if null || !variable.is_nullable() => None,
            ValueSet::Anything if self.fidelity() == Fidelity::Untranslated => None,
            ValueSet::Anything => Some(words() + ", not null"),
            _ => Some(words()),
        }
    }

    /// Every pattern in it.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        let mut out = Vec::new();
        self.region.values.collect_patterns(&mut out);
        self.inputs.collect_patterns(&mut out);
        out.into_iter()
    }

    /// Removes the constraints on variables that the schema leaves out.
    pub fn forget<'n>(&mut self, names: impl IntoIterator<Item = &'n String>, span: Span) {
        let parts = match std::mem::replace(&mut self.inputs, ValueSet::Anything) {
            ValueSet::All(parts) => parts,
            one => vec![one],
        };
        let names: Vec<&String> = names.into_iter().collect();
        let is_left_out = |it: &ValueSet| names.iter().any(|name| it.names_member(name));
        let (left_out, kept): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_left_out);
        self.inputs = ValueSet::all(kept);
        if !left_out.is_empty() {
            self.region.losses.push(Loss { reason: Reason::VariableLeftOut, span });
        }
    }

    /// The error if Terraform refuses the rule; otherwise findings if it can never hold, if parts of it are not
    /// translated, and about slow patterns, with their places.
    pub fn diagnostics(
        &self,
        module: &Module,
        variable: &Variable,
        meter: &Meter,
    ) -> Vec<Diagnostic> {
        if let Some(refusal) = &self.refusal {
            return vec![refusal.clone()];
        }
        let never = self.never_holds(module, variable, meter);
        let found = [never, self.loss(variable), self.slow_pattern(variable)];
        found.into_iter().flatten().collect()
    }

    fn never_holds(
        &self,
        module: &Module,
        variable: &Variable,
        meter: &Meter,
    ) -> Option<Diagnostic> {
        let rule = variable.validations.get(self.validation)?;
        let is_never = never::never_holds(module, variable, &rule.condition, &self.region, meter)
            && !never::fails_elsewhere(module, &rule.condition, meter);
        let diagnostic = || {
            let summary = format!("A validation rule of \"{}\" can never hold", variable.name);
            Diagnostic::new(&lints::RULE_NEVER_HOLDS, summary)
                .detail("Its condition is false, null or an error for every value.")
                .variable(variable.name.clone())
                .validation(self.validation)
                .at(Role::Rule, rule.condition.span)
        };
        is_never.then(diagnostic)
    }

    fn slow_pattern(&self, variable: &Variable) -> Option<Diagnostic> {
        let rule = variable.validations.get(self.validation)?;
        let pattern = self.slow_patterns.first()?;
        let summary =
            format!("A pattern of \"{}\" can be very slow outside Terraform", variable.name);
        let detail = format!(
            "Terraform matches it in one pass. An engine that backtracks may need minutes for a \
            few dozen characters: {}",
            shortened(pattern)
        );
        let diagnostic = Diagnostic::new(&lints::BACKTRACKING_PATTERN, summary)
            .detail(detail)
            .variable(variable.name.clone())
            .validation(self.validation)
            .at(Role::Rule, rule.condition.span);
        Some(diagnostic)
    }

    fn loss(&self, variable: &Variable) -> Option<Diagnostic> {
        let name = &variable.name;
        let (rule, summary) = match self.fidelity() {
            Fidelity::Exact => return None,
            Fidelity::Necessary => (
                &lints::WEAKENED_VALIDATION,
                format!("Only part of a validation rule of \"{name}\" is in the schema"),
            ),
            Fidelity::Untranslated => (
                &lints::UNTRANSLATED_VALIDATION,
                format!("A validation rule of \"{name}\" is not in the schema"),
            ),
        };
        let mut reasons: Vec<String> = Vec::new();
        for it in self.region.losses.iter().map(|it| it.reason.to_string()) {
            if !reasons.contains(&it) {
                reasons.push(it);
            }
        }
        let detail = sentence(&reasons);
        let mut diagnostic = Diagnostic::new(rule, summary)
            .detail(detail)
            .variable(name.clone())
            .validation(self.validation);
        for loss in &self.region.losses {
            diagnostic = diagnostic.at(Role::Rule, loss.span);
        }
        Some(diagnostic)
    }
}

/// The options of a schema that a translation depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct TranslationTarget {
    /// Variables that do not set `nullable` accept null, so the schema must say where others refuse it.
    pub nullable_all: bool,
    /// The schema can count the elements of an array that are in a set.
    pub counts: bool,
}

/// Translates every `validation` block of a variable, in their order.
pub fn translate(
    module: &Module,
    variable: &Variable,
    target: TranslationTarget,
    meter: &Meter,
) -> Vec<Translation> {
    let blocks = 0..variable.validations.len();
    blocks.filter_map(|it| translate_rule(module, variable, it, target, meter)).collect()
}

/// Translates one `validation` block of a variable; `None` where it has no such block.
pub fn translate_rule(
    module: &Module,
    variable: &Variable,
    validation: usize,
    target: TranslationTarget,
    meter: &Meter,
) -> Option<Translation> {
    let block = variable.validations.get(validation)?;
    let mut context = Context::new(module, variable, meter);
    context.counts = target.counts;
    let truth = expressions::truth(&block.condition, &context);
    let truth = if context.is_kleene() { truth } else { truth.before_kleene() };
    let mut extent = truth.when_true;
    // In JSON a message that cannot be evaluated is taken as a plain text.
    if let (Some(it), None) = (&block.error_message, &block.plain_message) {
        context.begin();
        extent = extent.and(error_message::evaluates(it, &context));
    }
    let refusal = refused::refusal(module, variable, validation, block, &context.releases, meter);
    if refusal.is_some() && !extent.is_nothing() {
        extent = extent.losing(Reason::RefusedRule, block.condition.span);
    }
    let read = block.error_message.iter().chain([&block.condition]).collect::<Vec<_>>();
    if null_elements::are_met(module, variable, &read, &extent) {
        extent = Extent::unknown(Reason::NullInDefault, block.condition.span);
    }
    Some(Translation {
        refusal,
        ..divide(extent, validation, &block.condition, &context, target.nullable_all)
    })
}

/// Divides the conjuncts into those about the variable alone and the others.
fn divide(
    extent: Extent,
    validation: usize,
    condition: &hcl::Expr,
    context: &Context<'_>,
    nullable_all: bool,
) -> Translation {
    let own = ConstraintRoot::Variable(context.variable.name.clone());
    let Extent { formula, mut losses } = extent;
    for loss in &mut losses {
        if loss.span == Span::default() {
            loss.span = condition.span;
        }
    }
    let parts = match formula {
        Assignments::All(parts) => parts,
        one => vec![one],
    };
    let mut region = Region { losses, ..Region::everything() };
    let mut inputs = Vec::new();
    for part in parts {
        match part.of_root(&own) {
            Some((null, values)) => {
                let losses = std::mem::take(&mut region.losses);
                region = region.and(Region::new(null, values));
                region.losses = losses;
            }
            None => inputs.push(of_inputs(&part, context, nullable_all)),
        }
    }
    let inputs = ValueSet::all(inputs);
    Translation { validation, region, inputs, slow_patterns: Vec::new(), refusal: None }
}

/// The formula as a constraint on the object of all inputs.
fn of_inputs(formula: &Assignments, context: &Context<'_>, nullable_all: bool) -> ValueSet {
    let each = |it: &Assignments| of_inputs(it, context, nullable_all);
    match formula {
        Assignments::At(ConstraintRoot::Variable(name), null, values) => {
            member(name, *null, values, context, nullable_all).unwrap_or(ValueSet::Anything)
        }
        Assignments::At(..) => ValueSet::Anything,
        Assignments::All(parts) => ValueSet::all(parts.iter().map(each)),
        Assignments::Any(parts) => ValueSet::either(parts.iter().map(each)),
    }
}

fn member(
    name: &smol_str::SmolStr,
    null: bool,
    values: &ValueSet,
    context: &Context<'_>,
    nullable_all: bool,
) -> Option<ValueSet> {
    let variable = context.module.variables.get(name)?;
    Some(Place::variable_member(variable, nullable_all, null, values.clone()))
}

/// The beginning of a pattern: a finding needs no more to name it.
fn shortened(pattern: &str) -> String {
    match pattern.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &pattern[..end]),
        None => pattern.to_owned(),
    }
}

// How much of a condition a schema carries, and a sentence about the rest.

/// How much of a condition a constraint carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fidelity {
    /// The constraint holds exactly where the condition does.
    Exact,
    /// The constraint holds whenever the condition does, and refuses some of the other values.
    Necessary,
    /// The constraint refuses nothing.
    Untranslated,
}

impl Fidelity {
    pub fn as_str(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Necessary => "necessary",
            Fidelity::Untranslated => "untranslated",
        }
    }
}

/// The note about forms that are not translated: `A template and a call of `sha256` are not translated.`
pub fn sentence(forms: &[String]) -> String {
    let (verb, named) = match forms {
        [] => ("is", "the rule".to_owned()),
        [one] => ("is", one.clone()),
        [first @ .., last] => ("are", format!("{} and {last}", first.join(", "))),
    };
    let (initial, rest) = named.split_at(named.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest} {verb} not translated.", initial.to_uppercase())
}
