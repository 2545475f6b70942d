//! From violations and doubts to findings.

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

/// What a rule says of an object.
pub(super) struct Verdict<'a> {
    pub policy: &'a Policy,
    pub rule: &'a Rule,
    pub pattern: &'a BlockPattern,
    pub address: &'a str,
    pub action: Option<&'static str>,
    /// `None` where it is about several objects.
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

    /// The argument of the rule that a validator belongs to, if that stands elsewhere: in `locals`.
    fn argument(&self, path: &Path, span: Span) -> Option<Span> {
        let Some(Step::Attribute(name)) = path.0.first() else { return None };
        let member = self.pattern.members.iter().find(|it| it.name == *name)?.span;
        let is_inside =
            member.file == span.file && member.start <= span.start && span.end <= member.end;
        (!is_inside).then_some(member)
    }

    /// The findings of an outcome: what fails, and what is undecided beside it.
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

    /// The validator as the rule has it, in one line.
    fn expected(&self, span: Span) -> String {
        let text = self.policy.sources.snippet(span);
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Why something is undecided. Before a plan, what that does not know either has a cause.
    fn reason(&self, it: &Doubt) -> String {
        let reason = self.spoken(&it.reason);
        let source = self.subject.filter(|it| !it.is_planned()).and_then(|it| it.source.as_ref());
        let causes = source.map_or(Vec::new(), |source| source.undecided(&it.path));
        if causes.is_empty() || reason == it.reason {
            return reason;
        }
        format!("{reason} (it depends on {})", causes.join(", "))
    }

    /// In the words of what is judged.
    fn spoken(&self, text: &str) -> String {
        match self.subject {
            Some(it) if !it.is_planned() => {
                text.replace("known after apply", "not known before a plan")
            }
            _ => text.to_owned(),
        }
    }

    /// Nobody knows whether there is such an object, or whether the rule is about it.
    pub fn doubtful(&self, why: &str, span: Span, found: &mut Vec<Finding>) {
        let module = self.subject.and_then(|it| it.doubtful_module.as_deref());
        let verdict = Verdict { address: module.unwrap_or(self.address), ..*self };
        verdict.findings(&Outcome::undecided(Path::default(), why.to_owned(), span), found);
    }

    /// What is forbidden is there.
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

/// A name in a rule that a type does not have.
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

/// An error in a rule that only shows beside what is judged.
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
