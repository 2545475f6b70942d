//! Judges everything in a plan by every rule.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    findings::{self, Verdict},
    language::{BlockKind, Demand, Policy, Rule},
    links::ObjectLinks,
    needs::Needs,
    pattern::Blocks,
    plan::Plan,
    planned::Planned,
    subjects::{Subject, World},
    validate::{Around, Judge, LocatedValue, Outcome, Trail},
};
use crate::{
    diagnostic::{Diagnostic, Finding, Location, Span, rules},
    eval::Meter,
    value::{Path, Type, Value},
};

/// The result of judging by one policy.
#[derive(Debug, Default)]
pub struct Judged {
    pub findings: Vec<Finding>,
    /// The number of objects that at least one rule judged.
    pub objects: usize,
    /// A sentence for each thing that was not judged, with the reason.
    pub failures: Vec<String>,
    /// Filled only if the caller asks for it.
    pub(super) covered: Covered,
}

/// For each rule, the addresses that it judged.
pub(super) type Covered = BTreeMap<SmolStr, BTreeSet<SmolStr>>;

/// Judges a plan.
pub fn judge(policy: &Policy, plan: &Plan, meter: &Meter) -> Judged {
    judge_plan(policy, plan, meter, false)
}

/// Like [`judge`]; `covers` also collects the addresses that each rule judged.
pub(super) fn judge_plan(policy: &Policy, plan: &Plan, meter: &Meter, covers: bool) -> Judged {
    let mut judged = judge_world(policy, &Planned::new(plan), meter, covers);
    if plan.is_state {
        not_in_a_state(policy, &mut judged);
    }
    judged
}

/// Judges every object once, and then the numbers of instances. If the work limit is reached, a finding says
/// so.
pub(super) fn judge_world(
    policy: &Policy,
    world: &dyn World,
    meter: &Meter,
    covers: bool,
) -> Judged {
    let demands = Demands::new(policy);
    let mut run = Run {
        policy,
        judge: Judge::new(&policy.names, meter),
        judged: Judged::default(),
        lacking: HashSet::default(),
        doubted: HashSet::default(),
        counts: BTreeMap::new(),
        covers,
    };
    if !world.tells_what_is_written() {
        run.only_in_sources();
    }
    let needs = Needs::new(world);
    for at in 0..world.len() {
        let head = world.head(at);
        let found = demands.of(head.kind, head.ty);
        if found.is_empty() {
            continue;
        }
        match world.subject(at) {
            Ok(subject) => run.subject(&subject, &found, &needs, Some(at)),
            Err(why) => run.judged.failures.push(why),
        }
        if meter.is_exhausted() {
            break;
        }
    }
    match world.others() {
        Ok(subjects) => {
            for it in &subjects {
                run.subject(it, &demands.of(it.kind, &it.label), &needs, None);
            }
        }
        Err(why) => run.judged.failures.push(why),
    }
    for (object, it) in needs.lacking.take() {
        if run.lacking.insert((it.span, it.name.clone())) {
            run.judged.findings.push(findings::lacking(policy, &object, &it));
        }
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
    run.judged
}

/// A block of a rule, and whether its label is a full name and not a pattern such as `aws_*`.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    rule: &'a Rule,
    demand: &'a Demand,
    is_exact: bool,
}

struct Demands<'a> {
    exact: HashMap<(BlockKind, &'a str), Vec<Wanted<'a>>>,
    others: Vec<(BlockKind, &'a super::language::Label, Wanted<'a>)>,
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

    fn of(&self, kind: BlockKind, label: &str) -> Vec<Wanted<'a>> {
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
    /// Modules that may not exist and were already reported, by block of a rule.
    doubted: HashSet<(Span, SmolStr)>,
    /// The number of instances of each resource that a rule counts, by the place of the rule's `count` and the
    /// address.
    counts: BTreeMap<(Span, String), (Wanted<'a>, Count)>,
    /// Whether to collect the addresses that each rule judged.
    covers: bool,
}

/// The argument that says how many instances there are.
const COUNT: SmolStr = SmolStr::new_static("count");

/// How many instances of a resource there are.
struct Count {
    /// `None` if it is not known.
    number: Option<u64>,
    /// Where the resource is written, if the sources are here.
    location: Option<Location>,
}

impl<'a> Run<'a> {
    fn subject(
        &mut self,
        subject: &Subject<'_>,
        wanted: &[Wanted<'a>],
        needs: &Needs<'_>,
        at: Option<usize>,
    ) {
        let mut is_judged = false;
        for it in wanted {
            let when = &it.rule.when;
            let has_action = subject.has_action(when.actions.as_deref());
            let addresses = when.addresses.as_ref();
            let is_meant = has_action != Some(false)
                && addresses.is_none_or(|all| all.iter().any(|it| it.covers(&subject.address)));
            if is_meant {
                is_judged = true;
                if self.covers {
                    self.judged
                        .covered
                        .entry(it.rule.id.clone())
                        .or_default()
                        .insert(subject.address.clone());
                }
                self.judge.meter.begin(None);
                self.demand(subject, *it, needs, at);
            }
        }
        self.judged.objects += usize::from(is_judged);
    }

    #[expect(clippy::too_many_lines, reason = "what is judged lends to what follows")]
    fn demand(
        &mut self,
        subject: &Subject<'_>,
        wanted: Wanted<'a>,
        needs: &Needs<'_>,
        place: Option<usize>,
    ) {
        let Wanted { rule, demand, is_exact } = wanted;
        let pattern = &demand.target.pattern;
        let (judge, referrer) = (&self.judge, None);
        let links = ObjectLinks { needs, judge, object: subject, at: place, referrer };
        let around = Around {
            prior: &subject.prior,
            parent: &subject.attrs,
            attrs: &subject.attrs,
            meta: &*subject.meta,
            is_asked: pattern.looks_around(),
            links: Some(&links),
        };
        let at = LocatedValue { value: &subject.attrs, around, is_hidden: false };
        let full = subject.attrs.as_mapping();
        let full = full.filter(|_| around.is_asked);
        let full = full.and_then(|it| self.judge.with_defaults(&pattern.members, it, at));
        let attrs = full.as_ref().unwrap_or(&subject.attrs);
        let at = LocatedValue { around: Around { attrs, parent: attrs, ..around }, ..at };
        let mut blocks = Blocks::new(&self.judge, subject, is_exact);
        let verdict = Verdict::new(self.policy, rule, pattern, subject);
        let found = &mut self.judged.findings;
        let doubt = doubt(subject, rule);
        let span = demand.target.span;
        // If a whole module may not exist, that is reported once and not for each object in it.
        let (doubted, module) = (&mut self.doubted, &subject.doubtful_module);
        let mut is_first =
            || module.as_ref().is_none_or(|module| doubted.insert((span, module.clone())));
        if demand.is_forbidden {
            let outcome = blocks.matched(pattern, at);
            match &doubt {
                _ if outcome.is_fail() || !blocks.lacking.is_empty() => (),
                Some(it) if is_first() => verdict.doubtful(it, span, found),
                Some(_) => (),
                None if outcome.is_pass() => verdict.forbidden(span, found),
                None => verdict.findings(&outcome, found),
            }
        } else {
            let mut outcomes = vec![blocks.narrowed(pattern, at, &Trail::START)];
            if let (Some(place), false) = (place, rule.needs.is_empty()) {
                let filter = blocks.filtered(pattern, at);
                let groups = rule.needs.iter().filter(|_| !filter.is_fail());
                outcomes.extend(groups.map(|group| {
                    let outcome = needs.judge(&self.judge, group, place, subject);
                    if filter.is_pass() || outcome.is_pass() {
                        return outcome;
                    }
                    Outcome { violations: Vec::new(), doubts: filter.doubts.clone() }
                }));
            }
            match &doubt {
                None => outcomes.iter().for_each(|it| verdict.findings(it, found)),
                Some(it) if !outcomes.iter().all(Outcome::is_pass) && is_first() => {
                    verdict.doubtful(it, span, found);
                }
                Some(_) => (),
            }
        }
        for mut it in blocks.lacking {
            if let (Some(at), true) = (place, it.is_outermost) {
                it.known.extend(needs.world.unasked(at));
            }
            if self.lacking.insert((it.span, it.name.clone())) {
                self.judged.findings.push(findings::lacking(self.policy, subject, &it));
            }
        }
        self.count_instance(subject, wanted);
    }

    /// Counts an instance of a resource whose number a rule judges.
    fn count_instance(&mut self, subject: &Subject<'_>, wanted: Wanted<'a>) {
        let Some(count) = &wanted.demand.target.pattern.count else { return };
        let key = (count.span, without_instance_key(&subject.address).to_owned());
        let none = || Count {
            number: Some(0),
            location: subject.source.as_ref().map(|it| it.location(&Path::default())),
        };
        let number = &mut self.counts.entry(key).or_insert_with(|| (wanted, none())).1.number;
        *number = number.filter(|_| subject.doubt.is_none()).map(|it| it + 1);
    }

    /// Judges how many instances there are of each resource.
    fn count(&mut self) {
        for ((_, address), (wanted, found)) in std::mem::take(&mut self.counts) {
            let Some(count) = &wanted.demand.target.pattern.count else { continue };
            self.judge.meter.begin(None);
            let unknown = Value::unknown(crate::value::Type::Dynamic);
            let int = |it: u64| Value::int(i64::try_from(it).unwrap_or(i64::MAX));
            let value = found.number.map_or_else(|| Value::unknown_not_null(Type::Number), int);
            let around = Around::unknown(&unknown);
            let at = LocatedValue { value: &value, around, is_hidden: false };
            let outcome: Outcome =
                self.judge.judge(&count.validator, at, &Trail::START.attribute(&COUNT));
            let pattern = &wanted.demand.target.pattern;
            let (policy, rule) = (self.policy, wanted.rule);
            let (address, action, subject) = (address.as_str(), None, None);
            let verdict = Verdict { policy, rule, pattern, address, action, subject };
            let before = self.judged.findings.len();
            verdict.findings(&outcome, &mut self.judged.findings);
            for it in &mut self.judged.findings[before..] {
                it.locations.splice(0..0, found.location.clone());
            }
        }
    }

    /// Reports names in rules that a plan does not tell, such as `lifecycle`.
    fn only_in_sources(&mut self) {
        for (name, span) in &self.policy.written {
            let summary = format!("A plan does not tell {name}");
            let help =
                "--config DIR judges the configuration, --source DIR gives a plan its sources";
            let finding = findings::of_rule_file(self.policy, summary, Some(help), *span);
            self.judged.findings.push(finding);
        }
    }
}

/// Why it is not known whether a rule applies to an object; `None` if it is known.
fn doubt(subject: &Subject<'_>, rule: &Rule) -> Option<String> {
    if let Some(why) = &subject.doubt {
        return Some(format!("its instances cannot be told before a plan: {why}"));
    }
    let is_open = subject.has_action(rule.when.actions.as_deref()).is_none();
    is_open.then(|| "what is done with it is not known before a plan".to_owned())
}

/// Reports rules about anything but resources and data sources, which are all that a state has.
fn not_in_a_state(policy: &Policy, judged: &mut Judged) {
    for demand in policy.rules.iter().flat_map(|it| &it.demands) {
        let kind = demand.target.kind;
        if !matches!(kind, BlockKind::Resource | BlockKind::Data) {
            let summary = format!("A state does not tell what {} blocks say", kind.as_str());
            let help = Some("judge a plan by this rule");
            let finding = findings::of_rule_file(policy, summary, help, demand.target.span);
            judged.findings.push(finding);
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
