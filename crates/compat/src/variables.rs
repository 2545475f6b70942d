//! Changes of variables.

use std::{cell::OnceCell, collections::BTreeMap};

use super::{
    contract::ModuleContract,
    defaults::{Nested, nested, same_default, with_null},
    findings::{Change, State},
    form::form,
    inclusion::{Inclusion, InclusionAnswer},
    judge::{Arguments, Effect, EffectSubject},
    types::sample,
};
use diagnostics::{Lint, Span, lints, suggestion};
use module::Variable;
use report::Bump;
use smol_str::SmolStr;
use tf_value::{Type, Value};

/// The most attributes of a variable that are reported one by one.
const NESTED: usize = 20;

/// Both contracts, and the arguments that the old one accepts.
pub struct VariablePair<'s, 'p, 'a> {
    pub inclusion: Inclusion<'s, 'p, 'a>,
    /// A call without any of the variables that are required in addition, and what is wrong with it. It shows all of
    /// them.
    lacking: OnceCell<Option<(Arguments, Vec<Effect>)>>,
}

impl<'s, 'p, 'a> VariablePair<'s, 'p, 'a> {
    pub fn new(inclusion: Inclusion<'s, 'p, 'a>) -> VariablePair<'s, 'p, 'a> {
        VariablePair { inclusion, lacking: OnceCell::new() }
    }

    fn base(&self) -> &'p ModuleContract<'a> {
        self.inclusion.from.contract
    }

    fn head(&self) -> &'p ModuleContract<'a> {
        self.inclusion.to
    }

    /// All changes of variables except those of their rules.
    pub fn changes(&self) -> Vec<Change> {
        let (base, head) = (self.base(), self.head());
        let renamed = self.renamed();
        let mut out = Vec::new();
        for (name, was) in &base.module.variables {
            match head.variable(name) {
                Some(is) => self.compare(was, is, &mut out),
                None => out.push(self.removed(was, renamed.get(name))),
            }
        }
        for (name, is) in &head.module.variables {
            if !base.module.variables.contains_key(name) && !renamed.values().any(|it| it == name) {
                out.push(self.added(is));
            }
        }
        out
    }

    /// Names of variables that are gone, with the names that they have now.
    fn renamed(&self) -> BTreeMap<SmolStr, SmolStr> {
        let (base, head) = (&self.base().module.variables, &self.head().module.variables);
        let gone = base.values().filter(|it| !head.contains_key(&it.name));
        let new: Vec<&Variable> = head.values().filter(|it| !base.contains_key(&it.name)).collect();
        let mut out = BTreeMap::new();
        for was in gone {
            let is_alike = |it: &&&Variable| {
                it.constraint == was.constraint
                    && it.default == was.default
                    && it.is_nullable() == was.is_nullable()
                    && it.validations.len() == was.validations.len()
            };
            let alike: Vec<&str> = new.iter().filter(is_alike).map(|it| it.name.as_str()).collect();
            let is_only = |it: &Type| !matches!(it, Type::Dynamic);
            let near = suggestion(&was.name, alike.iter().copied()).or(match alike.as_slice() {
                [one] if is_only(&was.constraint.ty) && related(one, &was.name) => Some(*one),
                _ => None,
            });
            if let Some(near) = near.filter(|near| !out.values().any(|it: &SmolStr| it == near)) {
                out.insert(was.name.clone(), SmolStr::new(near));
            }
        }
        out
    }

    fn removed(&self, was: &Variable, renamed: Option<&SmolStr>) -> Change {
        let name = &was.name;
        let pool = self.inclusion.from.pool(name).into_iter();
        let shown = pool.chain(sample(&was.constraint.ty)).find_map(|it| {
            self.inclusion.shown(&[(name.clone(), it)].into(), &[], EffectSubject::Value(name))
        });
        let now = renamed.and_then(|it| self.head().variable(it));
        let (rule, summary) = match now {
            Some(now) => (
                &lints::VARIABLE_RENAMED,
                format!("The variable \"{name}\" was renamed to \"{}\"", now.name),
            ),
            None => (&lints::VARIABLE_REMOVED, format!("The variable \"{name}\" was removed")),
        };
        let change = Change::new(rule, Bump::Major, summary)
            .detail("Calls that set it are rejected.")
            .variable(name);
        let change = match now {
            Some(now) => change.at(State::Head, now.span),
            None => change,
        };
        self.with_witness(change.at_with(State::Base, was.span, "it was declared here"), shown)
    }

    fn added(&self, is: &Variable) -> Change {
        let name = &is.name;
        if !is.is_required() {
            return Change::new(
                &lints::VARIABLE_ADDED,
                Bump::Minor,
                format!("The variable \"{name}\" is new"),
            )
            .variable(name)
            .at(State::Head, is.span);
        }
        let lacking = self.lacking.get_or_init(|| self.inclusion.lacking(name)).as_ref();
        let shown = lacking.and_then(|(arguments, effects)| {
            let effect = effects.iter().find(|it| EffectSubject::Value(name).is_of(it))?;
            Some(InclusionAnswer::Broken(arguments.clone(), effect.clone()))
        });
        let summary = format!("The variable \"{name}\" is new and has no default");
        let change = Change::new(&lints::REQUIRED_VARIABLE_ADDED, Bump::Major, summary)
            .detail("Calls that do not set it are rejected.")
            .variable(name)
            .at(State::Head, is.span);
        self.with_witness(change, shown)
    }

    fn with_witness(&self, change: Change, shown: Option<InclusionAnswer>) -> Change {
        let found = match shown {
            Some(InclusionAnswer::Broken(arguments, effect)) => {
                Some(self.inclusion.both.witness(arguments, &effect))
            }
            _ => None,
        };
        change.witness(found)
    }

    fn compare(&self, was: &Variable, is: &Variable, out: &mut Vec<Change>) {
        self.types(was, is, out);
        self.defaults(was, is, out);
        self.nulls(was, is, out);
        flags(was, is, out);
        if was.description != is.description {
            let summary = format!("The description of \"{}\" changed", is.name);
            let span = is.description_span.unwrap_or(is.span);
            out.push(simple(&lints::WORDING_CHANGED, Bump::Patch, summary, is, span));
        }
    }

    fn types(&self, was: &Variable, is: &Variable, out: &mut Vec<Change>) {
        if was.constraint.ty == is.constraint.ty {
            return;
        }
        let name = &is.name;
        let place = |change: Change| {
            change.variable(name).at(State::Head, is.type_span.unwrap_or(is.span)).at_with(
                State::Base,
                was.type_span.unwrap_or(was.span),
                "the old type",
            )
        };
        let change = match self.inclusion.of_type(name) {
            InclusionAnswer::Included => Change::new(
                &lints::TYPE_WIDENED,
                Bump::Minor,
                format!("The type of \"{name}\" accepts more values"),
            ),
            InclusionAnswer::Open(why) => undecided(&format!("the type of \"{name}\""), &why),
            InclusionAnswer::Broken(arguments, effect) => {
                let (rule, summary) = match &effect {
                    Effect::Lost { .. } => (
                        &lints::VALUE_LOST,
                        format!(
                            "The type of \"{name}\" drops a part of \
                            values that it accepted"
                        ),
                    ),
                    Effect::Refused { .. } => (
                        &lints::TYPE_NARROWED,
                        format!("The type of \"{name}\" rejects values that it accepted"),
                    ),
                };
                let change = Change::new(rule, Bump::Major, summary);
                change.witness(self.inclusion.both.witness(arguments, &effect))
            }
        };
        out.push(place(change));
    }

    fn defaults(&self, was: &Variable, is: &Variable, out: &mut Vec<Change>) {
        let name = &is.name;
        let span = is.default_expr.as_ref().map_or(is.span, |it| it.span);
        let is_hidden =
            |variable: &&Variable| variable.default.as_ref().is_some_and(|it| !it.is_known());
        if let Some(why) = self.base().lack(name).or(self.head().lack(name))
            && [was, is].iter().any(is_hidden)
        {
            let change = undecided(&format!("the default of \"{name}\""), why);
            out.push(change.variable(name).at(State::Head, is.span));
            return;
        }
        match (&was.default, &is.default) {
            (None, Some(_)) => {
                let summary = format!("\"{name}\" now has a default");
                out.push(simple(&lints::DEFAULT_ADDED, Bump::Minor, summary, is, span));
            }
            (Some(_), None) => {
                let shown = self.inclusion.shown(
                    &Arguments::new(),
                    std::slice::from_ref(name),
                    EffectSubject::Value(name),
                );
                let change = simple(
                    &lints::DEFAULT_REMOVED,
                    Bump::Major,
                    format!("\"{name}\" no longer has a default"),
                    is,
                    is.span,
                );
                let change = change.detail("Calls that do not set it are rejected.");
                out.push(self.with_witness(change, shown));
            }
            (Some(was_value), Some(is_value))
                if !same_default(was_value, is_value) && !self.is_written_alike(was, is) =>
            {
                let summary = format!("The default of \"{name}\" changed");
                let change = simple(&lints::DEFAULT_CHANGED, Bump::Minor, summary, is, span);
                let before = was.default_expr.as_ref().map_or(was.span, |it| it.span);
                out.push(change.at_with(State::Base, before, "the old default"));
            }
            _ => (),
        }
        let mut found = Nested::default();
        let (before, after) = (was.constraint.defaults.as_ref(), is.constraint.defaults.as_ref());
        nested(before, after, &was.constraint.ty, &is.constraint.ty, "", &mut found);
        let span = is.type_span.unwrap_or(is.span);
        out.extend(found.gained.iter().take(NESTED).map(|path| self.gained(is, path)));
        for path in found.changed.iter().take(NESTED) {
            let summary = format!("The default of \"{name}{path}\" changed");
            out.push(simple(&lints::DEFAULT_CHANGED, Bump::Minor, summary, is, span));
        }
    }

    /// Whether both defaults are written alike, so that they differ by the types alone.
    fn is_written_alike(&self, was: &Variable, is: &Variable) -> bool {
        let form = |contract: &ModuleContract<'_>, variable: &Variable| {
            form(variable.default_expr.as_ref()?, &contract.module)
        };
        let before = form(self.base(), was);
        before.is_some() && before == form(self.head(), is)
    }

    /// The change of an optional attribute that got a default: a written null is lost.
    fn gained(&self, is: &Variable, path: &str) -> Change {
        let name = &is.name;
        let span = is.type_span.unwrap_or(is.span);
        let summary = format!("\"{name}{path}\" now has a default, which replaces null");
        let change = simple(&lints::OPTIONAL_GAINED_DEFAULT, Bump::Major, summary, is, span);
        let Some(was) = self.base().variable(name) else { return change };
        let shown = self.inclusion.from.pool(name).into_iter().chain(sample(&was.constraint.ty));
        let shown = shown.filter_map(|it| with_null(&it, path)).find_map(|it| {
            self.inclusion.shown(&[(name.clone(), it)].into(), &[], EffectSubject::Value(name))
        });
        if shown.is_some() {
            return self.with_witness(change, shown);
        }
        let what = format!("the new default of \"{name}{path}\"");
        let change = undecided(&what, "no accepted null was found there");
        change.variable(name).at(State::Head, span)
    }

    fn nulls(&self, was: &Variable, is: &Variable, out: &mut Vec<Change>) {
        let name = &is.name;
        let (before, after) = (was.is_nullable(), is.is_nullable());
        if before && !after && is.default.as_ref().is_some_and(|it| !it.is_known()) {
            let why = self.head().lack(name).unwrap_or("its default is not known");
            let change = undecided(&format!("a null for \"{name}\""), why);
            out.push(change.variable(name).at(State::Head, is.span));
        } else if before && !after {
            let null: Arguments = [(name.clone(), Value::null(Type::Dynamic))].into();
            let (rule, summary) = if is.is_required() {
                (&lints::NULL_REFUSED, format!("\"{name}\" no longer accepts null"))
            } else {
                let summary = format!("A null for \"{name}\" is now replaced by the default");
                (&lints::NULL_BECOMES_DEFAULT, summary)
            };
            let keeps_null = is.instead_of_null().is_some_and(Value::is_null);
            match self.inclusion.shown(&null, &[], EffectSubject::Value(name)) {
                Some(shown) => {
                    let change = simple(rule, Bump::Major, summary, is, is.span);
                    out.push(self.with_witness(change, Some(shown)));
                }
                None if self.refuses_null(name) && !is.is_required() && !keeps_null => {
                    let summary = format!(
                        "A null for \"{name}\" is now replaced by the default, and was \
                            rejected before"
                    );
                    out.push(simple(&lints::NULL_ACCEPTED, Bump::Minor, summary, is, is.span));
                }
                // A variable that took no null before, or keeps a null now, loses nothing.
                None if self.refuses_null(name) || keeps_null => {
                    let summary =
                        format!("\"{name}\" is declared not nullable, and rejected null before");
                    out.push(simple(&lints::WORDING_CHANGED, Bump::Patch, summary, is, is.span));
                }
                None => {
                    let why = "no accepted arguments with a null were found";
                    let change = undecided(&format!("a null for \"{name}\""), why);
                    out.push(change.variable(name).at(State::Head, is.span));
                }
            }
        } else if !before && after {
            let summary = format!("\"{name}\" now accepts null");
            out.push(simple(&lints::NULL_ACCEPTED, Bump::Minor, summary, is, is.span));
        }
    }

    /// Whether a rule about the variable alone proves that null was refused.
    fn refuses_null(&self, name: &SmolStr) -> bool {
        !self.inclusion.from.alone(name).0
    }
}

/// Whether names have a part in common, as `subnets` and `subnet_ids` have.
fn related(one: &str, other: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split('_').map(|it| it.trim_end_matches('s').to_owned()).collect()
    };
    let (one, other) = (parts(one), parts(other));
    let common = one.iter().filter(|it| other.contains(it)).count();
    common * 2 >= one.len().max(other.len())
}

fn simple(rule: &'static Lint, level: Bump, summary: String, is: &Variable, span: Span) -> Change {
    Change::new(rule, level, summary).variable(&is.name).at(State::Head, span)
}

/// The change for which nothing is proved either way.
pub fn undecided(what: &str, why: &str) -> Change {
    let summary = format!("Cannot decide whether callers are affected by {what}");
    Change::new(&lints::UNDECIDED_CHANGE, Bump::CannotTell, summary).detail(why)
}

fn flags(was: &Variable, is: &Variable, out: &mut Vec<Change>) {
    let name = &is.name;
    let mut push = |rule, level, summary: String, detail: &str| {
        out.push(simple(rule, level, summary, is, is.span).detail(detail));
    };
    if was.is_sensitive() != is.is_sensitive() {
        let what = if is.is_sensitive() { "now sensitive" } else { "no longer sensitive" };
        push(&lints::SENSITIVITY_CHANGED, Bump::Minor, format!("\"{name}\" is {what}"), "");
    }
    match (was.is_ephemeral(), is.is_ephemeral()) {
        (true, false) => {
            let detail = "Calls that give it an ephemeral value are rejected.";
            let summary = format!("\"{name}\" is no longer ephemeral");
            push(&lints::EPHEMERAL_REMOVED, Bump::Major, summary, detail);
        }
        (false, true) => {
            push(
                &lints::SENSITIVITY_CHANGED,
                Bump::Minor,
                format!("\"{name}\" is now ephemeral"),
                "",
            );
        }
        _ => (),
    }
    match (was.constant == Some(true), is.constant == Some(true)) {
        (false, true) => {
            let change = undecided(
                &format!("\"{name}\", which is now `const`"),
                "a value that only a plan knows is rejected, and only the callers know whether \
                they set one",
            );
            out.push(change.variable(name).at(State::Head, is.span));
        }
        (true, false) => {
            let summary = format!("\"{name}\" is no longer `const`");
            let change = simple(&lints::TYPE_WIDENED, Bump::Minor, summary, is, is.span);
            out.push(change);
        }
        _ => (),
    }
    if was.deprecated != is.deprecated {
        let (level, summary) = match (&was.deprecated, &is.deprecated) {
            (None, _) => (Bump::Minor, format!("\"{name}\" is now deprecated")),
            (_, None) => (Bump::Patch, format!("\"{name}\" is no longer deprecated")),
            _ => (Bump::Patch, format!("the deprecation message of \"{name}\" changed")),
        };
        out.push(simple(&lints::DEPRECATION_CHANGED, level, summary, is, is.span));
    }
}
