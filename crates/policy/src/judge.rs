//! Judges everything in a plan by every rule.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use super::{
    counted::{Counted, Tally},
    findings::{self, Verdict},
    found::Found,
    language::{self, BlockKind, BlockPattern, Demand, Policy, PolicyRule},
    links::ObjectLinks,
    needs::Needs,
    pattern::{Blocks, Quantifier},
    plan::Plan,
    planned::Planned,
    subjects::{PolicySubject, World},
    tfpolicy::{Enforcer, Memory, of_list},
    validate::{Around, LocatedValue, Outcome, Trail, ValueJudge},
};
use diagnostics::{Coverage, Diagnostic, Finding, Location, Span, lints};
use tf_eval::Meter;
use tf_value::{Path, Type, Value};

/// The result of judging by one policy.
#[derive(Debug, Default)]
pub struct Judged {
    pub findings: Vec<Finding>,
    /// The number of objects that at least one rule judged.
    pub objects: usize,
    /// A sentence for each thing that was not judged, with the reason.
    pub failures: Vec<String>,
    /// What the rules were about.
    pub coverage: Coverage,
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
        judge: ValueJudge::new(&policy.names, meter),
        judged: Judged::default(),
        found: Found::new(covers),
        lacking: HashSet::default(),
        doubted: HashSet::default(),
        counts: BTreeMap::new(),
        tallies: demands.counts.iter().map(|_| Tally::default()).collect(),
        covers,
        memory: Memory::default(),
    };
    for (kind, ty) in world.types() {
        run.judged.coverage.add_label(kind.as_str(), &ty);
    }
    if !world.tells_what_is_written() {
        run.only_in_sources();
    }
    let needs = Needs::new(world);
    for at in 0..world.len() {
        let head = world.head(at);
        let found = demands.of(head.kind, head.ty);
        if found.is_empty() && !demands.counts(head.kind, head.ty) {
            continue;
        }
        match world.subject(at) {
            Ok(subject) => run.subject(&subject, &found, &demands, &needs, Some(at)),
            Err(why) => run.fails(why),
        }
        if meter.is_exhausted() {
            break;
        }
    }
    match world.others() {
        Ok(subjects) => {
            for it in &subjects {
                run.judged.coverage.add_label(it.kind.as_str(), &it.label);
                let found = demands.of(it.kind, &it.label);
                run.subject(it, &found, &demands, &needs, None);
            }
        }
        Err(why) => run.judged.failures.push(why),
    }
    for (object, it) in needs.lacking.take() {
        if run.lacking.insert((it.span, it.name.clone())) {
            run.found.push(findings::lacking(policy, &object, &it));
        }
    }
    run.count();
    run.report_counts(&demands, world.further().as_deref());
    run.judged.coverage.add_wheres(run.judge.wheres.take());
    for (span, name) in run.memory.lists.take() {
        run.found.push(Finding::new(&of_list(&name, span), "", &policy.sources));
    }
    for (span, mistake) in run.judge.take_mistakes() {
        run.found.push(findings::mistaken(policy, &mistake, span));
    }
    if meter.is_exhausted() || run.judge.is_exceeded.get() {
        run.found.push(exceeded(policy));
    }
    Judged { findings: run.found.finish(), ..run.judged }
}

fn exceeded(policy: &Policy) -> Finding {
    let summary = "The rules exceed the work limit of the run";
    let diagnostic = Diagnostic::new(&lints::BUDGET_EXCEEDED, summary)
        .help("raise the limit with --max-work, or judge fewer rules at a time");
    Finding::new(&diagnostic, "", &policy.sources)
}

/// A block of a rule, and whether its label is a full name and not a pattern such as `aws_*`.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    rule: &'a PolicyRule,
    demand: &'a Demand,
    is_exact: bool,
}

struct Demands<'a> {
    /// The `count` blocks.
    counts: Vec<Counted<'a>>,
    exact: HashMap<(BlockKind, &'a str), Vec<Wanted<'a>>>,
    others: Vec<(BlockKind, &'a super::language::LabelPattern, Wanted<'a>)>,
}

impl<'a> Demands<'a> {
    fn new(policy: &'a Policy) -> Demands<'a> {
        let (exact, others) = (HashMap::default(), Vec::new());
        let mut demands = Demands { counts: Vec::new(), exact, others };
        for rule in policy.rules.iter().filter(|it| it.level.is_some()) {
            demands.counts.extend(rule.counts.iter().map(|count| Counted { rule, count }));
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

    /// Whether a `count` block is about objects of this kind and label.
    fn counts(&self, kind: BlockKind, label: &str) -> bool {
        self.counts.iter().any(|it| it.count.is_about(kind, label))
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
    judge: ValueJudge<'a>,
    judged: Judged,
    found: Found,
    lacking: HashSet<(Span, SmolStr)>,
    /// Modules that may not exist and were already reported, by block of a rule.
    doubted: HashSet<(Span, SmolStr)>,
    /// The number of instances of each resource that a rule counts, by the place of the rule's `count` and the
    /// address.
    counts: BTreeMap<(Span, String), (Wanted<'a>, Count)>,
    /// For each `count` block, in the order of [`Demands::counts`].
    tallies: Vec<Tally>,
    /// Whether to collect the addresses that each rule judged.
    covers: bool,
    /// What policies of the other language evaluated.
    memory: Memory,
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

/// The most objects without values that are named.
const MOST_FAILURES: usize = 100;

impl<'a> Run<'a> {
    /// Notes that an object is not judged.
    fn fails(&mut self, why: String) {
        let failures = &mut self.judged.failures;
        match failures.len() {
            0..MOST_FAILURES => failures.push(why),
            MOST_FAILURES => failures.push("more objects cannot be judged".to_owned()),
            _ => (),
        }
    }

    fn subject(
        &mut self,
        subject: &PolicySubject<'_>,
        wanted: &[Wanted<'a>],
        demands: &Demands<'a>,
        needs: &Needs<'_>,
        at: Option<usize>,
    ) {
        let mut is_judged = self.counted(subject, &demands.counts, needs, at);
        for it in wanted {
            let when = &it.rule.when;
            let has_action = subject.has_action(when.actions.as_deref());
            let is_meant = has_action != Some(false) && when.covers(&subject.address);
            if is_meant {
                is_judged = true;
                self.judged.coverage.add_judged(it.demand.target.span);
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

    fn demand(
        &mut self,
        subject: &PolicySubject<'_>,
        wanted: Wanted<'a>,
        needs: &Needs<'_>,
        place: Option<usize>,
    ) {
        let Wanted { rule, demand, is_exact } = wanted;
        let pattern = &demand.target.pattern;
        let (judge, referrer) = (&self.judge, None);
        let links = ObjectLinks { needs, judge, object: subject, at: place, referrer };
        let inferred = subject.inferred.as_ref();
        let inferred = inferred.and_then(|it| it.filled(pattern, &subject.attrs));
        let own = inferred.as_ref().unwrap_or(&subject.attrs);
        let at = located(subject, own, pattern, &links);
        let around = at.around;
        let full = own.as_mapping();
        let full = full.filter(|_| around.is_asked);
        let full = full.and_then(|it| self.judge.with_defaults(&pattern.members, it, at));
        let attrs = full.as_ref().unwrap_or(own);
        let at = LocatedValue { around: Around { attrs, parent: attrs, ..around }, ..at };
        let mut blocks = Blocks::new(&self.judge, subject, is_exact);
        let verdict = Verdict::new(self.policy, rule, pattern, subject);
        let found = &mut self.found;
        let doubt = doubt(subject, rule);
        let span = demand.target.span;
        // If a whole module may not exist, that is reported once and not for each object in it.
        let (doubted, module) = (&mut self.doubted, &subject.doubtful_module);
        let mut is_first =
            || module.as_ref().is_none_or(|module| doubted.insert((span, module.clone())));
        if let Some(conditions) = &demand.conditions {
            let enforcer = Enforcer { needs, judge: &self.judge, memory: &self.memory };
            let outcome = enforcer.judge(conditions, subject, place);
            match &doubt {
                None => verdict.findings(&outcome, found),
                Some(it) if !outcome.is_pass() && is_first() => verdict.doubtful(it, span, found),
                Some(_) => (),
            }
        } else if demand.is_forbidden {
            let outcome = blocks.matched(pattern, at, Quantifier::Any);
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
                self.found.push(findings::lacking(self.policy, subject, &it));
            }
        }
        self.count_instance(subject, wanted);
    }

    /// Counts an object for the `count` blocks that are about it. Returns whether there is one.
    fn counted(
        &mut self,
        subject: &PolicySubject<'_>,
        counts: &[Counted<'a>],
        needs: &Needs<'_>,
        at: Option<usize>,
    ) -> bool {
        let mut is_counted = false;
        for (number, it) in counts.iter().enumerate() {
            let when = &it.rule.when;
            let has_action = subject.has_action(when.actions.as_deref());
            let is_meant = it.count.is_about(subject.kind, &subject.label)
                && has_action != Some(false)
                && when.covers(&subject.address);
            if !is_meant {
                continue;
            }
            is_counted = true;
            self.judged.coverage.add_judged(it.count.span);
            self.judge.meter.begin(None);
            let filter = self.passes(subject, it.count, needs, at);
            if filter.is_fail() {
                continue;
            }
            let tally = &mut self.tallies[number];
            let is_sure = subject.doubt.is_none() && has_action.is_some() && filter.is_pass();
            tally.add(&subject.address, is_sure);
            if let Some(why) = &subject.doubt {
                tally.open(why);
            }
        }
        is_counted
    }

    /// Whether an object passes the `where` of a `count` block.
    fn passes(
        &mut self,
        subject: &PolicySubject<'_>,
        count: &language::Count,
        needs: &Needs<'_>,
        at: Option<usize>,
    ) -> Outcome {
        let Some(filter) = &count.filter else { return Outcome::PASS };
        let (judge, referrer) = (&self.judge, None);
        let links = ObjectLinks { needs, judge, object: subject, at, referrer };
        let inferred = subject.inferred.as_ref();
        let inferred = inferred.and_then(|it| it.filled(filter, &subject.attrs));
        let place = located(subject, inferred.as_ref().unwrap_or(&subject.attrs), filter, &links);
        let is_exact = count.labels.iter().any(|it| it.is_exact() && it.matches(&subject.label));
        let mut blocks = Blocks::new(judge, subject, is_exact);
        let outcome = blocks.passes(filter, place);
        judge.note_where(count.filter_span, !outcome.is_fail());
        for it in blocks.lacking {
            if self.lacking.insert((it.span, it.name.clone())) {
                self.found.push(findings::lacking(self.policy, subject, &it));
            }
        }
        outcome
    }

    /// Judges the numbers of the `count` blocks. `further`: why there may be more objects.
    fn report_counts(&mut self, demands: &Demands<'a>, further: Option<&str>) {
        for (mut tally, it) in std::mem::take(&mut self.tallies).into_iter().zip(&demands.counts) {
            if let Some(why) = further {
                tally.open(why);
            }
            // A test may expect something of the number, even if it is zero.
            if self.covers {
                let covered = self.judged.covered.entry(it.rule.id.clone()).or_default();
                covered.insert(it.count.address().into());
            }
            tally.findings(self.policy, *it, &mut self.found);
        }
    }

    /// Counts an instance of a resource whose number a rule judges.
    fn count_instance(&mut self, subject: &PolicySubject<'_>, wanted: Wanted<'a>) {
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
            let unknown = Value::unknown(tf_value::Type::Dynamic);
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
            let before = self.found.len();
            verdict.findings(&outcome, &mut self.found);
            for it in self.found.since(before) {
                it.locations.splice(0..0, found.location.clone());
            }
        }
    }

    /// Reports names in rules that a plan does not contain, such as `lifecycle`.
    fn only_in_sources(&mut self) {
        for (name, span) in &self.policy.written {
            let summary = format!("A plan does not contain {name}");
            let help = "use --config DIR to judge the configuration, or --source DIR to add the \
                sources to a plan";
            let finding = findings::of_rule_file(self.policy, summary, Some(help), *span);
            self.found.push(finding);
        }
    }
}

/// Why it is not known whether a rule applies to an object; `None` if it is known.
fn doubt(subject: &PolicySubject<'_>, rule: &PolicyRule) -> Option<String> {
    if let Some(why) = &subject.doubt {
        return Some(format!("its instances are known only to a plan: {why}"));
    }
    let is_open = subject.has_action(rule.when.actions.as_deref()).is_none();
    is_open.then(|| "its action is known only to a plan".to_owned())
}

/// Reports rules about anything but resources and data sources, which are all that a state has.
fn not_in_a_state(policy: &Policy, judged: &mut Judged) {
    let targets = policy.rules.iter().flat_map(|it| &it.demands).map(|it| &it.target);
    let targets = targets.map(|it| (it.kind, it.span));
    let counts = policy.rules.iter().flat_map(|it| &it.counts).map(|it| (it.kind, it.span));
    for (kind, span) in targets.chain(counts) {
        if !matches!(kind, BlockKind::Resource | BlockKind::Data) {
            let summary = format!("A state does not contain {} blocks", kind.as_str());
            let help = Some("use this rule on a plan");
            let finding = findings::of_rule_file(policy, summary, help, span);
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

/// The arguments of an object, with what the expressions of a pattern may refer to.
fn located<'v>(
    subject: &'v PolicySubject<'_>,
    attrs: &'v Value,
    pattern: &BlockPattern,
    links: &'v ObjectLinks<'_, '_>,
) -> LocatedValue<'v> {
    let around = Around {
        prior: &subject.prior,
        parent: attrs,
        attrs,
        meta: &*subject.meta,
        is_asked: pattern.looks_around(),
        links: Some(links),
    };
    LocatedValue { value: attrs, around, is_hidden: false }
}
