//! Judges everything in a plan by every rule.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    findings::{self, Verdict},
    language::{Demand, Kind, Policy, Rule},
    needs::{self, Needs},
    pattern::Blocks,
    plan::{Change, Plan},
    subjects::{Index, Subject, others},
    validate::{Around, Judge, Outcome, Place},
};
use crate::{
    diagnostic::{Diagnostic, Finding, Span, rules},
    eval::Meter,
    value::{Path, Step, Value},
};

/// What judging came to.
#[derive(Debug, Default)]
pub struct Judged {
    pub findings: Vec<Finding>,
    /// How many objects were judged by a rule at least.
    pub objects: usize,
    /// What was not judged, and why.
    pub failures: Vec<String>,
}

/// The addresses that each rule is about.
pub(super) type Covered = BTreeMap<SmolStr, BTreeSet<SmolStr>>;

/// Judges a plan. Nothing is judged twice, and a run that ran out of work says so.
pub fn judge(policy: &Policy, plan: &Plan, meter: &Meter) -> Judged {
    run(policy, plan, meter, None).0
}

/// As [`judge`], with what was judged.
pub(super) fn judge_covering(policy: &Policy, plan: &Plan, meter: &Meter) -> (Judged, Covered) {
    let (judged, covered) = run(policy, plan, meter, Some(Covered::new()));
    (judged, covered.unwrap_or_default())
}

fn run(
    policy: &Policy,
    plan: &Plan,
    meter: &Meter,
    covered: Option<Covered>,
) -> (Judged, Option<Covered>) {
    let demands = Demands::new(policy);
    let mut run = Run {
        policy,
        judge: Judge::new(&policy.names, meter),
        judged: Judged::default(),
        lacking: HashSet::default(),
        counts: BTreeMap::new(),
        covered,
    };
    run.not_in_a_state(plan);
    let index = Index::new(plan);
    let needs = Needs::new(plan, &index);
    for change in &plan.changes {
        let kind = if change.is_data { Kind::Data } else { Kind::Resource };
        let found = demands.of(kind, &change.ty);
        if found.is_empty() {
            continue;
        }
        match index.of_change(change) {
            Ok(subject) => run.subject(&subject, &found, Some((&needs, change))),
            Err(why) => run.judged.failures.push(why),
        }
        if meter.is_exhausted() {
            break;
        }
    }
    for (object, it) in needs.lacking.take() {
        if run.lacking.insert((it.span, it.name.clone())) {
            run.judged.findings.push(findings::lacking(policy, &object, &it));
        }
    }
    match others(plan) {
        Ok(subjects) => {
            for it in &subjects {
                run.subject(it, &demands.of(it.kind, &it.label), None);
            }
        }
        Err(why) => run.judged.failures.push(why),
    }
    run.count();
    for (span, text) in run.judge.mistakes.take() {
        let number = crate::value::Number::parse(&text).map_or(String::new(), |it| it.to_decimal());
        let summary =
            format!("The number {text} is {number}, and what it is compared with is a text");
        let help = format!("write it in quotes: \"{text}\"");
        let finding = findings::of_rule_file(policy, summary, Some(&help), span);
        run.judged.findings.push(finding);
    }
    if meter.is_exhausted() || run.judge.is_exceeded.get() {
        let summary = "The rules take more work than the run may do";
        let diagnostic = Diagnostic::new(&rules::BUDGET_EXCEEDED, summary)
            .help("--max-work allows more, and fewer rules at a time need less");
        run.judged.findings.push(Finding::new(&diagnostic, "", &policy.sources));
    }
    (run.judged, run.covered)
}

/// The kinds and types that rules speak of, so that nothing else of a plan is read.
pub struct Asked(HashMap<bool, (HashSet<SmolStr>, Vec<super::language::Label>)>);

impl Asked {
    pub fn new(policy: &Policy) -> Asked {
        let mut asked: HashMap<bool, (HashSet<SmolStr>, Vec<super::language::Label>)> =
            HashMap::default();
        for it in policy.rules.iter().flat_map(|it| &it.demands) {
            let (exact, others) = match it.target.kind {
                Kind::Resource => asked.entry(false).or_default(),
                Kind::Data => asked.entry(true).or_default(),
                _ => continue,
            };
            for label in &it.target.labels {
                if label.is_exact() {
                    exact.insert(label.0.clone());
                } else {
                    others.push(label.clone());
                }
            }
        }
        for rule in &policy.rules {
            for (kind, is_data) in [(Kind::Resource, false), (Kind::Data, true)] {
                let (exact, others) = asked.entry(is_data).or_default();
                for label in needs::labels(&rule.needs, kind) {
                    if label.is_exact() {
                        exact.insert(label.0.clone());
                    } else {
                        others.push(label.clone());
                    }
                }
            }
        }
        Asked(asked)
    }

    /// Whether a rule speaks of a type.
    pub fn wants(&self, is_data: bool, ty: &str) -> bool {
        let found = self.0.get(&is_data);
        found.is_some_and(|(exact, all)| exact.contains(ty) || all.iter().any(|it| it.matches(ty)))
    }
}

/// A block of a rule, and whether it names its object's type in full.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    rule: &'a Rule,
    demand: &'a Demand,
    is_exact: bool,
}

struct Demands<'a> {
    exact: HashMap<(Kind, &'a str), Vec<Wanted<'a>>>,
    others: Vec<(Kind, &'a super::language::Label, Wanted<'a>)>,
}

impl<'a> Demands<'a> {
    fn new(policy: &'a Policy) -> Demands<'a> {
        let mut demands = Demands { exact: HashMap::default(), others: Vec::new() };
        for rule in policy.rules.iter().filter(|it| it.level.is_some()) {
            for demand in &rule.demands {
                let target = &demand.target;
                for label in &target.labels {
                    let is_exact = label.is_exact();
                    let wanted = Wanted { rule, demand, is_exact };
                    if is_exact {
                        demands.exact.entry((target.kind, &label.0)).or_default().push(wanted);
                    } else {
                        demands.others.push((target.kind, label, wanted));
                    }
                }
            }
        }
        demands
    }

    fn of(&self, kind: Kind, label: &str) -> Vec<Wanted<'a>> {
        let mut found = self.exact.get(&(kind, label)).cloned().unwrap_or_default();
        let others = self.others.iter().filter(|it| it.0 == kind && it.1.matches(label));
        found.extend(others.map(|it| it.2));
        found
    }
}

struct Run<'a> {
    policy: &'a Policy,
    judge: Judge<'a>,
    judged: Judged,
    lacking: HashSet<(Span, SmolStr)>,
    /// Instances of each resource that a rule counts, by the place of the rule's `count`.
    counts: BTreeMap<(Span, String), (Wanted<'a>, u64)>,
    covered: Option<Covered>,
}

impl<'a> Run<'a> {
    fn subject(
        &mut self,
        subject: &Subject,
        wanted: &[Wanted<'a>],
        needs: Option<(&Needs<'_>, &Change)>,
    ) {
        let mut is_judged = false;
        for it in wanted {
            let when = &it.rule.when;
            let is_meant = subject.has_action(when.actions.as_deref())
                && when
                    .addresses
                    .as_ref()
                    .is_none_or(|all| all.iter().any(|it| it.covers(&subject.address)));
            if is_meant {
                is_judged = true;
                if let Some(covered) = &mut self.covered {
                    covered.entry(it.rule.id.clone()).or_default().insert(subject.address.clone());
                }
                self.judge.meter.begin(None);
                self.demand(subject, *it, needs);
            }
        }
        self.judged.objects += usize::from(is_judged);
    }

    fn demand(
        &mut self,
        subject: &Subject,
        wanted: Wanted<'a>,
        needs: Option<(&Needs<'_>, &Change)>,
    ) {
        let Wanted { rule, demand, is_exact } = wanted;
        let pattern = &demand.target.pattern;
        let around = Around {
            prior: &subject.prior,
            parent: &subject.attrs,
            attrs: &subject.attrs,
            meta: &subject.meta,
        };
        let at = Place { value: &subject.attrs, around, is_hidden: false };
        let full = subject.attrs.as_mapping();
        let full = full.and_then(|it| self.judge.with_defaults(&pattern.members, it, at));
        let attrs = full.as_ref().unwrap_or(&subject.attrs);
        let at = Place { around: Around { attrs, parent: attrs, ..around }, ..at };
        let mut blocks = Blocks {
            judge: &self.judge,
            is_exact: subject.is_complete
                && (is_exact || matches!(subject.kind, Kind::Variable | Kind::Output)),
            passes_over: subject.is_complete,
            untold: subject.untold,
            lacking: Vec::new(),
        };
        let verdict = Verdict::new(self.policy, rule, pattern, subject);
        let found = &mut self.judged.findings;
        if demand.is_forbidden {
            let outcome = blocks.matched(pattern, at);
            if outcome.is_pass() && blocks.lacking.is_empty() {
                verdict.forbidden(demand.target.span, found);
            } else if !outcome.is_fail() {
                verdict.findings(&outcome, found);
            }
        } else {
            verdict.findings(&blocks.narrowed(pattern, at, &Path::default()), found);
            if let (Some((needs, change)), false) = (needs, rule.needs.is_empty()) {
                let filter = blocks.filtered(pattern, at);
                for group in rule.needs.iter().filter(|_| !filter.is_fail()) {
                    let mut outcome = needs.judge(&self.judge, group, change, subject);
                    if !filter.is_pass() && !outcome.is_pass() {
                        outcome = Outcome { violations: Vec::new(), doubts: filter.doubts.clone() };
                    }
                    verdict.findings(&outcome, found);
                }
            }
        }
        for it in blocks.lacking {
            if self.lacking.insert((it.span, it.name.clone())) {
                self.judged.findings.push(findings::lacking(self.policy, subject, &it));
            }
        }
        if let Some(count) = &pattern.count {
            let key = (count.span, without_instance_key(&subject.address).to_owned());
            self.counts.entry(key).or_insert((wanted, 0)).1 += 1;
        }
    }

    /// Judges how many instances there are of each resource.
    fn count(&mut self) {
        for ((_, address), (wanted, number)) in std::mem::take(&mut self.counts) {
            let Some(count) = &wanted.demand.target.pattern.count else { continue };
            self.judge.meter.begin(None);
            let value = Value::int(i64::try_from(number).unwrap_or(i64::MAX));
            let unknown = Value::unknown(crate::value::Type::Dynamic);
            let around =
                Around { prior: &unknown, parent: &unknown, attrs: &unknown, meta: &unknown };
            let path = Path(vec![Step::Attribute("count".into())]);
            let at = Place { value: &value, around, is_hidden: false };
            let outcome: Outcome = self.judge.judge(&count.validator, at, &path);
            let pattern = &wanted.demand.target.pattern;
            let (policy, rule) = (self.policy, wanted.rule);
            let verdict = Verdict { policy, rule, pattern, address: &address, action: None };
            verdict.findings(&outcome, &mut self.judged.findings);
        }
    }

    /// A state tells of resources and data sources only.
    fn not_in_a_state(&mut self, plan: &Plan) {
        if !plan.is_state {
            return;
        }
        for demand in self.policy.rules.iter().flat_map(|it| &it.demands) {
            let kind = demand.target.kind;
            if !matches!(kind, Kind::Resource | Kind::Data) {
                let summary = format!("A state does not tell what {} blocks say", kind.as_str());
                let help = Some("judge a plan by this rule");
                let span = demand.target.span;
                self.judged.findings.push(findings::of_rule_file(self.policy, summary, help, span));
            }
        }
    }
}

/// The address of a resource with the keys of its modules, but without its own.
fn without_instance_key(address: &str) -> &str {
    if !address.ends_with(']') {
        return address;
    }
    let mut at = None;
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (offset, it) in address.char_indices() {
        if is_quoted {
            is_quoted = is_escaped || it != '"';
            is_escaped = !is_escaped && it == '\\';
        } else {
            is_quoted = it == '"';
            if it == '[' {
                at = Some(offset);
            }
        }
    }
    at.map_or(address, |it| &address[..it])
}
