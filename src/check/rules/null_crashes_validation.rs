//! `null-crashes-validation`: a null makes a condition fail with an error instead of an answer.
//!
//! Before Terraform 1.12 (OpenTofu 1.10) `&&` and `||` evaluate both operands and an error in
//! either one counts, so that `var.x == null || length(var.x) > 2` guards nothing.

use super::{ModuleContext, Tried, places::Place};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Level, Role},
    module::Variable,
    value::Value,
    verdict::{Probe, Setting, Trial},
    version::Version,
};

const RULE: &str = "null-crashes-validation";

pub(super) fn check(context: &ModuleContext<'_>) -> Diagnostics {
    let older = Setting { version: Version::V1_11, ..context.setting };
    let newer = Setting { version: Version::NEWEST, ..context.setting };
    let hosts = (older.host(), newer.host());
    let older = Probe::new(context.module, context.judge, older, &hosts.0);
    let newer = Probe::new(context.module, context.judge, newer, &hosts.1);
    let (Some(older), Some(newer)) = (older, newer) else {
        return Vec::new();
    };
    let mut tester = Tester { older, newer, context, found: Vec::new() };
    for Tried { variable, index, places } in &context.validations {
        let before = tester.found.len();
        tester.variable(variable, *index);
        tester.attributes(variable, *index, places);
        // A rule that never works is no fault of null.
        if tester.found.len() > before && tester.older.always_crashes(variable, *index) {
            tester.found.truncate(before);
        }
    }
    let Tester { older, newer, mut found, .. } = tester;
    found.extend(older.into_exceeded());
    found.extend(newer.into_exceeded());
    found
}

struct Tester<'a> {
    /// Both operands of `&&` and `||` count.
    older: Probe<'a>,
    /// A controlling operand hides the other's error.
    newer: Probe<'a>,
    context: &'a ModuleContext<'a>,
    found: Diagnostics,
}

/// What null does to a condition.
struct Crash {
    problem: Diagnostic,
    /// Also where a guard works.
    in_every_version: bool,
}

impl Tester<'_> {
    fn variable(&mut self, variable: &Variable, index: usize) {
        if !variable.is_nullable() {
            return;
        }
        let null = Value::null(variable.constraint.ty.without_optional());
        let Some(crash) = self.crash(variable, index, &null) else { return };
        // Nobody wrote a guard: null is refused, only not with the author's words.
        let level = if crash.in_every_version { Level::Note } else { Level::Warning };
        let is_default = variable.default.as_ref().is_some_and(Value::is_null);
        if is_default && crash.in_every_version {
            // The default itself breaks the rule, which is another finding.
            return;
        }
        let name = &variable.name;
        let what = if is_default { "Null, its default," } else { "Null" };
        let summary = format!("{what} makes a rule of \"{name}\" fail with an error");
        let help = if crash.in_every_version {
            format!("set nullable = false, or begin with var.{name} == null ? … :")
        } else {
            format!("write var.{name} == null ? true : …, or set nullable = false")
        };
        self.report(variable, index, level, (summary, help), &crash);
    }

    fn attributes(&mut self, variable: &Variable, index: usize, places: &[Place]) {
        for place in places.iter().filter(|it| it.default.is_none()) {
            let sample = |leaf: &Value| place.sample(&variable.constraint, leaf, 1);
            let (Some(null), Some(unknown)) =
                (sample(&Value::null(place.ty.clone())), sample(&Value::unknown(place.ty.clone())))
            else {
                continue;
            };
            let blameless = matches!(self.older.rule(variable, index, unknown), Trial::Crashes(_));
            let crash = self.crash(variable, index, &null);
            let (Some(crash), false) = (crash, blameless) else { continue };
            let summary = format!(
                "Leaving out \"{}{place}\" makes a rule of \"{}\" fail with an error",
                variable.name, variable.name
            );
            let help = "give the attribute a default, or write … == null ? true : …".to_owned();
            self.report(variable, index, Level::Warning, (summary, help), &crash);
        }
    }

    fn crash(&mut self, variable: &Variable, index: usize, value: &Value) -> Option<Crash> {
        let Trial::Crashes(problems) = self.older.rule(variable, index, value.clone()) else {
            return None;
        };
        let newer = self.newer.rule(variable, index, value.clone());
        let in_every_version = matches!(newer, Trial::Crashes(_));
        let admits = || self.context.module.oldest_admitted() < self.context.short_circuit();
        let problem = problems.into_iter().next()?;
        (in_every_version || admits()).then_some(Crash { problem, in_every_version })
    }

    fn report(
        &mut self,
        variable: &Variable,
        index: usize,
        level: Level,
        (summary, help): (String, String),
        crash: &Crash,
    ) {
        let since = self.context.short_circuit();
        let tool = self.context.tool();
        let when = if crash.in_every_version {
            format!("In every version of {tool}")
        } else {
            let (major, minor) = (since.major, since.minor);
            format!(
                "Before {tool} {major}.{minor} both sides of && and || count, so the guard does \
                 not help; {}",
                self.context.admission()
            )
        };
        let detail = format!("{}. {when}.", crash.problem.message().trim_end_matches('.'));
        let mut diagnostic = Diagnostic::new(RULE, level, summary).detail(detail).help(help);
        let condition = variable.validations.get(index).map(|it| it.condition.span);
        if let Some(span) = crash.problem.span().or(condition) {
            diagnostic = diagnostic.at(Role::Rule, span);
        }
        let diagnostic = diagnostic.at(Role::Declaration, variable.span);
        self.found.push(diagnostic.variable(variable.name.clone()).validation(index));
    }
}
