//! Turns violations and doubts into findings.

use smol_str::SmolStr;

use super::{
    found::Found,
    language::{BlockPattern, Policy, PolicyRule},
    pattern::{Lacking, reasons},
    subjects::PolicySubject,
    validate::{Doubt, LIST, Mistake, NAME, Outcome, ShownPath, Violation, shortened},
};
use diagnostics::{
    Decision, Diagnostic, Finding, Level, LintId, PolicyFacts, Role, Span, did_you_mean, lints,
};
use tf_value::{Path, Step, Value};

/// A rule and the object that it judges, for which findings are made.
pub(super) struct Verdict<'a> {
    pub policy: &'a Policy,
    pub rule: &'a PolicyRule,
    pub pattern: &'a BlockPattern,
    pub address: &'a str,
    pub action: Option<&'static str>,
    /// `None` if the rule judges the number of a resource's instances.
    pub subject: Option<&'a PolicySubject<'a>>,
}

impl<'a> Verdict<'a> {
    pub fn new(
        policy: &'a Policy,
        rule: &'a PolicyRule,
        pattern: &'a BlockPattern,
        subject: &'a PolicySubject<'a>,
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
    pub fn findings(&self, outcome: &Outcome, found: &mut Found) {
        if let Some(level) = self.rule.level {
            let mut seen = Vec::new();
            for it in &outcome.violations {
                let path = &it.at.visible();
                // Otherwise each key of a sensitive map would show up as a finding of its own.
                if path.0.len() < it.at.path.0.len() {
                    let same = (path.clone(), it.span, &it.found);
                    if seen.contains(&same) {
                        continue;
                    }
                    seen.push(same);
                }
                found.add(self.rule, Decision::Fail, level, || {
                    let expected = self.expected(it.span);
                    let place = place(path);
                    let headline = format!("{place}expected {expected}, found {}", it.found);
                    let facts = PolicyFacts {
                        outcome: Decision::Fail,
                        expected: Some(expected),
                        found: Some(it.found.clone()),
                        ..PolicyFacts::default()
                    };
                    self.finding(level, &headline, path, it.span, it, facts)
                });
            }
        }
        let Some(level) = self.rule.undecided.filter(|_| self.rule.level.is_some()) else { return };
        for it in reasons(&outcome.doubts) {
            found.add(self.rule, Decision::Undecided, level, || {
                let expected = self.expected(it.span);
                let path = &it.at.visible();
                let (place, reason) = (place(path), self.reason(it));
                let headline =
                    format!("{place}cannot be decided yet: expected {expected}, and {reason}");
                let none = Violation {
                    at: it.at.clone(),
                    found: String::new(),
                    author_message: None,
                    help: None,
                    is_broken: false,
                    span: it.span,
                };
                let facts = PolicyFacts {
                    outcome: Decision::Undecided,
                    expected: Some(expected),
                    ..PolicyFacts::default()
                };
                self.finding(level, &headline, path, it.span, &none, facts)
            });
        }
    }

    /// The validator's text in the rule, on one line.
    fn expected(&self, span: Span) -> String {
        let text = self.policy.sources.snippet(span);
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Why a value is undecided. Before a plan, the reason also names what the value depends on.
    fn reason(&self, it: &Doubt) -> String {
        let path = it.at.visible();
        let inferred = self.subject.and_then(|it| it.inferred.as_ref());
        let references = inferred.map_or(Vec::new(), |it| it.references(&path));
        if !references.is_empty() {
            let references = references.join(", ");
            return format!(
                "a plan does not show how {references} is used; use --source DIR to evaluate it"
            );
        }
        let reason = self.spoken(&it.reason);
        let source = self.subject.filter(|it| !it.is_planned()).and_then(|it| it.source.as_ref());
        let causes = source.map_or(Vec::new(), |source| source.undecided(&path));
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
    pub fn doubtful(&self, why: &str, span: Span, found: &mut Found) {
        let module = self.subject.and_then(|it| it.doubtful_module.as_deref());
        let verdict = Verdict { address: module.unwrap_or(self.address), ..*self };
        verdict.findings(&Outcome::undecided(Path::default(), why.to_owned(), span), found);
    }

    /// Adds a finding: a forbidden object exists.
    pub fn forbidden(&self, span: Span, found: &mut Found) {
        let Some(level) = self.rule.level else { return };
        found.add(self.rule, Decision::Fail, level, || {
            let headline = format!("found an object that {} forbids", self.expected(span));
            let none = Violation {
                found: String::new(),
                at: ShownPath::default(),
                author_message: None,
                help: None,
                is_broken: false,
                span,
            };
            let facts = PolicyFacts { outcome: Decision::Fail, ..PolicyFacts::default() };
            self.finding(level, &headline, &Path::default(), span, &none, facts)
        });
    }

    /// Advice with the names and texts of the rule.
    fn concrete(&self, help: &str, path: &Path, span: Span) -> String {
        let name = path.0.iter().rev().find_map(|it| match it {
            Step::Attribute(name) => Some(name.as_str()),
            Step::Index(_) => None,
        });
        let text = self.expected(span);
        let list = text.find('[').zip(text.rfind(']')).and_then(|(from, to)| text.get(from..=to));
        help.replace(NAME, name.unwrap_or("NAME")).replace(LIST, list.unwrap_or("[A, B]"))
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
        let message_text =
            [self.rule.message.as_ref().and_then(message_text), violation.author_message.clone()];
        for it in message_text.into_iter().flatten() {
            message = format!("{message}\n{it}");
        }
        let mut diagnostic = Diagnostic::new(&lints::INVALID_CONFIGURATION, message);
        if let Some(argument) = self.argument(path, span) {
            diagnostic = diagnostic.at(Role::Rule, argument);
        }
        let diagnostic = diagnostic.at(Role::Rule, span);
        let mut finding = Finding::new(&diagnostic, "", &self.policy.sources);
        finding.rule = LintId::of_policy(&self.rule.id);
        finding.level = level;
        finding.address = SmolStr::new(self.address);
        finding.path = Some(path.json_pointer()).filter(|it| !it.is_empty());
        finding.help = violation.help.as_ref().map(|it| self.concrete(it, path, span));
        let action = self.action.map(SmolStr::new_static);
        finding.policy = Some(Box::new(PolicyFacts { action, ..facts }));
        if let Some(source) = self.subject.and_then(|it| it.source.as_ref()) {
            finding.locations.insert(0, source.location(path));
        }
        finding
    }
}

/// The rule's message, unless it would reveal a secret.
fn message_text(message: &Value) -> Option<String> {
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
pub(super) fn lacking(policy: &Policy, subject: &PolicySubject<'_>, it: &Lacking) -> Finding {
    let hint = did_you_mean(&it.name, it.known.iter().map(SmolStr::as_str));
    let summary = format!(
        "{} {:?} has no argument {:?}, as {} shows.{hint}",
        subject.kind.as_str(),
        subject.label,
        it.name,
        subject.address
    );
    of_rule_file(policy, summary, advice(&it.name), it.span)
}

/// Advice on names of the language that are used where a type's arguments belong.
fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "condition" | "error_message" => {
            "write it as an option of a validator, ARGUMENT = string({ condition = … }); to \
            exclude single objects, write when = { except = [\"ADDRESS\"] }"
        }
        "meta" | "attrs" | "parent" | "self" | "prior" | "context" | "local" => {
            "use it in an expression, ARGUMENT = string({ condition = meta.name != \"a\" }); to \
            exclude single objects, write when = { except = [\"ADDRESS\"] }"
        }
        "address" | "addresses" | "actions" => "move it to when = { … } of the rule",
        "where" => "write `where` as a block, without an equals sign: where { … }",
        _ => return None,
    })
}

/// The finding that nothing here can equal a value in a rule.
pub(super) fn mistaken(policy: &Policy, mistake: &Mistake, span: Span) -> Finding {
    let (summary, help) = match mistake {
        Mistake::Number(text) => {
            let number = tf_value::Number::parse(text).map_or(String::new(), |it| it.to_decimal());
            let summary =
                format!("The number {text} is {number}, but it is compared with a string");
            (summary, format!("write it in quotes: \"{text}\""))
        }
        Mistake::Condition(kind) => {
            let summary = format!(
                "An expression without self is compared as a value, and true or false is not \
                {kind}"
            );
            let help = "for a condition, write string({ condition = … }); to exclude single \
                objects, write when = { except = [\"ADDRESS\"] }";
            (summary, help.to_owned())
        }
        Mistake::Deny(kind) => {
            let summary = format!(
                "deny accepts {kind} with any contents, because no single value equals {kind}"
            );
            (
                summary,
                "write list(deny(V)) to check each element, or deny(some(V)) to forbid one"
                    .to_owned(),
            )
        }
        Mistake::Never(kind) => {
            let summary = format!("This never holds, because the argument is {kind}");
            let help = match *kind {
                "a list" => "write some(V) for one element, or list(V) for each",
                "an object" => "write { NAME = V } for a member",
                _ => "write any(A, B) for one of several values",
            };
            (summary, help.to_owned())
        }
    };
    of_rule_file(policy, summary, Some(&help), span)
}

/// The finding of an error in a rule that shows only when an object is judged.
pub(super) fn of_rule_file(
    policy: &Policy,
    summary: String,
    help: Option<&str>,
    span: Span,
) -> Finding {
    let mut diagnostic =
        Diagnostic::new(&lints::INVALID_CONFIGURATION, summary).at(Role::Rule, span);
    diagnostic.help = help.map(str::to_owned);
    Finding::new(&diagnostic, "", &policy.sources)
}
