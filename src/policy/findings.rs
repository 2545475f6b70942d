//! Turns violations and doubts into findings.

use smol_str::SmolStr;

use super::{
    language::{BlockPattern, Policy, Rule},
    pattern::{Lacking, reasons},
    subjects::Subject,
    validate::{Doubt, Outcome, Violation, shortened},
};
use crate::{
    diagnostic::{
        Decision, Diagnostic, Finding, Level, PolicyFacts, Role, RuleId, Span, did_you_mean, rules,
    },
    value::{Path, Step, Value},
};

/// A rule and the object that it judges, for which findings are made.
pub(super) struct Verdict<'a> {
    pub policy: &'a Policy,
    pub rule: &'a Rule,
    pub pattern: &'a BlockPattern,
    pub address: &'a str,
    pub action: Option<&'static str>,
    /// `None` if the rule judges the number of a resource's instances.
    pub subject: Option<&'a Subject<'a>>,
}

impl<'a> Verdict<'a> {
    pub fn new(
        policy: &'a Policy,
        rule: &'a Rule,
        pattern: &'a BlockPattern,
        subject: &'a Subject<'a>,
    ) -> Verdict<'a> {
        let (address, action) = (&subject.address, subject.action());
        Verdict { policy, rule, pattern, address, action, subject: Some(subject) }
    }

    /// The argument of the rule that led to a validator, if the validator is defined elsewhere: in `locals`.
    fn argument(&self, path: &Path, span: Span) -> Option<Span> {
        let Some(Step::Attribute(name)) = path.0.first() else { return None };
        let member = self.pattern.members.iter().find(|it| it.name == *name)?.span;
        let is_inside =
            member.file == span.file && member.start <= span.start && span.end <= member.end;
        (!is_inside).then_some(member)
    }

    /// Adds the findings of an outcome: one for each violation and one for each different doubt.
    pub fn findings(&self, outcome: &Outcome, found: &mut Vec<Finding>) {
        if let Some(level) = self.rule.level {
            for it in &outcome.violations {
                let expected = self.expected(it.span);
                let place = place(&it.path);
                let headline = format!("{place}expected {expected}, found {}", it.found);
                let facts = PolicyFacts {
                    outcome: Decision::Fail,
                    expected: Some(expected),
                    found: Some(it.found.clone()),
                    ..PolicyFacts::default()
                };
                found.push(self.finding(level, &headline, &it.path, it.span, it, facts));
            }
        }
        let Some(level) = self.rule.undecided.filter(|_| self.rule.level.is_some()) else { return };
        for it in reasons(&outcome.doubts) {
            let expected = self.expected(it.span);
            let (place, reason) = (place(&it.path), self.reason(it));
            let headline =
                format!("{place}cannot be decided yet: expected {expected}, and {reason}");
            let none = Violation {
                path: it.path.clone(),
                found: String::new(),
                told: None,
                help: None,
                span: it.span,
            };
            let facts = PolicyFacts {
                outcome: Decision::Undecided,
                expected: Some(expected),
                ..PolicyFacts::default()
            };
            found.push(self.finding(level, &headline, &it.path, it.span, &none, facts));
        }
    }

    /// The validator's text in the rule, on one line.
    fn expected(&self, span: Span) -> String {
        let text = self.policy.sources.snippet(span);
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Why a value is undecided. Before a plan, the reason also names what the value depends on.
    fn reason(&self, it: &Doubt) -> String {
        let reason = self.spoken(&it.reason);
        let source = self.subject.filter(|it| !it.is_planned()).and_then(|it| it.source.as_ref());
        let causes = source.map_or(Vec::new(), |source| source.undecided(&it.path));
        if causes.is_empty() || reason == it.reason {
            return reason;
        }
        format!("{reason} (it depends on {})", causes.join(", "))
    }

    /// The text in the words that fit the object: before a plan a value is "not known before a plan".
    fn spoken(&self, text: &str) -> String {
        match self.subject {
            Some(it) if !it.is_planned() => {
                text.replace("known after apply", "not known before a plan")
            }
            _ => text.to_owned(),
        }
    }

    /// Adds a finding: it is not known whether the object exists, or whether the rule applies to it.
    pub fn doubtful(&self, why: &str, span: Span, found: &mut Vec<Finding>) {
        let module = self.subject.and_then(|it| it.doubtful_module.as_deref());
        let verdict = Verdict { address: module.unwrap_or(self.address), ..*self };
        verdict.findings(&Outcome::undecided(Path::default(), why.to_owned(), span), found);
    }

    /// Adds a finding: a forbidden object exists.
    pub fn forbidden(&self, span: Span, found: &mut Vec<Finding>) {
        let Some(level) = self.rule.level else { return };
        let headline = format!("found what {} forbids", self.expected(span));
        let none =
            Violation { path: Path::default(), found: String::new(), told: None, help: None, span };
        let facts = PolicyFacts { outcome: Decision::Fail, ..PolicyFacts::default() };
        found.push(self.finding(level, &headline, &Path::default(), span, &none, facts));
    }

    fn finding(
        &self,
        level: Level,
        headline: &str,
        path: &Path,
        span: Span,
        violation: &Violation,
        facts: PolicyFacts,
    ) -> Finding {
        let action = self.action.map_or(String::new(), |it| format!(" ({it})"));
        let mut message = format!("{}{action}: {headline}", self.address);
        let said = [self.rule.message.as_ref().and_then(said), violation.told.clone()];
        for it in said.into_iter().flatten() {
            message = format!("{message}\n{it}");
        }
        let mut diagnostic = Diagnostic::new(&rules::INVALID_CONFIGURATION, message);
        if let Some(argument) = self.argument(path, span) {
            diagnostic = diagnostic.at(Role::Rule, argument);
        }
        let diagnostic = diagnostic.at(Role::Rule, span);
        let mut finding = Finding::new(&diagnostic, "", &self.policy.sources);
        finding.rule = RuleId::of_policy(&self.rule.id);
        finding.level = level;
        finding.address = SmolStr::new(self.address);
        finding.path = Some(path.json_pointer()).filter(|it| !it.is_empty());
        finding.help.clone_from(&violation.help);
        let action = self.action.map(SmolStr::new_static);
        finding.policy = Some(Box::new(PolicyFacts { action, ..facts }));
        if let Some(source) = self.subject.and_then(|it| it.source.as_ref()) {
            finding.locations.insert(0, source.location(path));
        }
        finding
    }
}

/// The rule's message, unless it would tell a secret.
fn said(message: &Value) -> Option<String> {
    (!message.deep_marks().is_hidden()).then(|| message.as_str().map(str::to_owned))?
}

/// `labels.env: `, or nothing for the object itself.
fn place(path: &Path) -> String {
    let text = path.to_string();
    match text.strip_prefix('.') {
        Some(it) => format!("{it}: "),
        None if text.is_empty() => text,
        None => format!("{text}: "),
    }
}

/// The finding that a rule names an argument which the type does not have.
pub(super) fn lacking(policy: &Policy, subject: &Subject<'_>, it: &Lacking) -> Finding {
    let hint = did_you_mean(&it.name, it.known.iter().map(SmolStr::as_str));
    let summary = format!(
        "{} {:?} has no argument {:?}, as {} shows.{hint}",
        subject.kind.as_str(),
        subject.label,
        it.name,
        subject.address
    );
    of_rule_file(policy, summary, None, it.span)
}

/// The finding of an error in a rule that shows only when an object is judged.
pub(super) fn of_rule_file(
    policy: &Policy,
    summary: String,
    help: Option<&str>,
    span: Span,
) -> Finding {
    let mut diagnostic =
        Diagnostic::new(&rules::INVALID_CONFIGURATION, summary).at(Role::Rule, span);
    diagnostic.help = help.map(str::to_owned);
    Finding::new(&diagnostic, "", &policy.sources)
}
