//! Judges a module as written, with each set of its inputs, by the rules of the policies that govern it.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    io,
    path::{Path, PathBuf},
};

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::demanded::Demanded;
use crate::{
    inputs::{self, InputSet},
    module_calls, named,
    policy_set::{JudgedByPolicy, PolicyFindings, PolicySet, WrittenModule, rules_of},
    subject::{CheckedModule, RunContext},
};
use config::Configurations;
use diagnostics::{
    Decision, Diagnostic, Diagnostics, Finding, Level, LevelReason, LintId, MOST_OF_A_KIND, Span,
    has_errors,
};
use module::{BlockContent, LOCK_FILE, WrittenBlock};
use report::NotJudged;
use system::paths;
use tf_eval::Meter;
use verdict::{Read, Ready, Rest};

/// The notes on findings that further values may change: of a module alone, of incomplete values files.
const OF_DEFAULTS: &str = "this holds if every variable has its default; a value may change it";
const OF_FILES: &str = "these values files do not set all required variables, and the missing \
    values may change this";

/// The values files of a module, for a policy.
pub(crate) struct Values<'a> {
    /// Those that no `input` block names.
    pub own: &'a [PathBuf],
    /// Those that are named by the `input` blocks of files nearer than a policy.
    pub taken: &'a [PathBuf],
}

/// Judges the module, and all that it calls, as written, with each set of its inputs.
pub(crate) fn check(
    subject: &mut CheckedModule<'_>,
    context: &RunContext<'_>,
    values: &Values<'_>,
) -> io::Result<()> {
    let Some(set) = context.policies.set() else { return Ok(()) };
    let (own, outer) = parted(subject, context, governing(set, subject, context), values);
    if !own.is_empty() {
        let (mut sets, _) = named::sets(subject)?;
        if subject.settings.inputs.is_empty() {
            sets.extend(inputs::conventional(subject.dir, values.own));
        }
        judge(subject, context, set, &own, &sets);
    }
    for by in outer {
        let found = Demanded { by: &by, set }.judge(subject, context, values)?;
        subject.of_policies.add(found);
    }
    Ok(())
}

/// Of policies, by the directories that demand them: those for which the module is as its nearest file has it, and
/// those with files that are nearer than they are.
fn parted(
    subject: &CheckedModule<'_>,
    context: &RunContext<'_>,
    policies: Vec<PathBuf>,
    values: &Values<'_>,
) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_nearest = |by: &PathBuf| {
        let is_free = |file: &PathBuf| context.configurations.is_unnamed_for(file, by);
        !context.configurations.has_nearer(subject.dir, by) && !values.taken.iter().any(is_free)
    };
    policies.into_iter().partition(|it| subject.is_readable && is_nearest(it))
}

/// Judges values files that lie further down, after everything else about them. `None` where no policy governs
/// the module.
pub(crate) fn check_loose(
    subject: &mut CheckedModule<'_>,
    context: &RunContext<'_>,
    files: &[PathBuf],
) -> Option<PolicyFindings> {
    let set = context.policies.set()?;
    let values = &Values { own: files, taken: &[] };
    let (own, outer) = parted(subject, context, governing(set, subject, context), values);
    if own.is_empty() && outer.is_empty() {
        return None;
    }
    if !own.is_empty() {
        if subject.settings.calls {
            module_calls::follow(subject, context, context.configurations);
            subject.diagnostics.clear();
        }
        let sets = inputs::conventional(subject.dir, files);
        judge(subject, context, set, &own, &sets);
    }
    for by in outer {
        match (Demanded { by: &by, set }.judge(subject, context, values)) {
            Ok(found) => subject.of_policies.add(found),
            Err(error) => subject.of_policies.failure = Some(error.to_string()),
        }
    }
    Some(std::mem::take(&mut subject.of_policies))
}

/// The policies that govern a module, by the directories of the files that demand them. An unreadable module may be
/// readable for another engine. A nearer file may turn findings about the module off; the rules are judged anyway.
fn governing(
    set: &dyn PolicySet,
    subject: &CheckedModule<'_>,
    context: &RunContext<'_>,
) -> Vec<PathBuf> {
    let named = context.configurations.policies(subject.dir).into_iter();
    named.map(|it| it.dir).filter(|it| !set.rules(it).is_empty()).collect()
}

/// A finding with the directory of the file that demands its rule, and its certainty.
struct HeldFinding {
    finding: Finding,
    demanding: PathBuf,
    /// Whether further values may change it.
    is_open: bool,
}

/// Distinguishes the findings of one set from those of others.
type Key = (LintId, PathBuf, String, Option<(String, u32, u32)>, bool);

/// Judges a module by policies, with each set of its inputs.
pub(super) fn judge(
    subject: &mut CheckedModule<'_>,
    context: &RunContext<'_>,
    set: &dyn PolicySet,
    policies: &[PathBuf],
    sets: &[InputSet],
) {
    subject.module.hide_written();
    let meter = Meter::new(subject.settings.limits);
    let alone = [InputSet::default()];
    let is_alone = sets.is_empty();
    let sets = if is_alone { &alone[..] } else { sets };
    let automatic = inputs::read(subject, !is_alone, &[]);
    let mut all: IndexMap<Key, (HeldFinding, Vec<String>)> = IndexMap::new();
    let (mut found, mut blocked) = (PolicyFindings::default(), BTreeMap::new());
    let mut numbers: HashMap<LintId, usize> = HashMap::new();
    let mut further: IndexMap<LintId, (HeldFinding, usize)> = IndexMap::new();
    for inputs in sets {
        if subject.meter.is_exhausted() || meter.is_exhausted() {
            break;
        }
        let read = automatic.clone().overlaid(inputs::read(subject, false, &inputs.files));
        let name = match inputs.files.as_slice() {
            [] => "the automatic values files".to_owned(),
            files => files.iter().map(|it| paths::display(it)).collect::<Vec<_>>().join(" and "),
        };
        let judging = Judging { subject, set, policies, meter: &meter };
        for held in judging.inputs(read, inputs, is_alone, &mut found, &mut blocked) {
            let key = key(&held);
            if !all.contains_key(&key) {
                let number = numbers.entry(held.finding.rule.clone()).or_default();
                *number += 1;
                // Those of one set are counted already.
                if *number > 2 * (MOST_OF_A_KIND + 1) {
                    further.entry(held.finding.rule.clone()).or_insert((held, 0)).1 += 1;
                    continue;
                }
            }
            let sets = &mut all.entry(key).or_insert_with(|| (held, Vec::new())).1;
            // A rule may say one thing twice.
            if sets.last() != Some(&name) {
                sets.push(name.clone());
            }
        }
    }
    for (mut held, number) in further.into_values() {
        held.finding = held.finding.counting(number);
        add_at_level(held, None, is_alone, context.configurations, &mut found);
    }
    for (held, names) in all.into_values() {
        let is_of_some = names.len() < sets.len();
        let names = is_of_some.then_some(names);
        add_at_level(held, names, is_alone, context.configurations, &mut found);
    }
    for by in subject.module.broken_calls() {
        block_all(set, policies, by, &mut blocked);
    }
    for ((place, problem), rules) in blocked {
        found.block(&policies[place], rules, &subject.shown, subject.location(problem));
    }
    found.work = meter.spent();
    subject.of_policies.add(found);
}

/// The rules that a problem keeps from judging a module: by the policy and the place of the problem.
type BlockedRules = BTreeMap<(usize, Span), BTreeSet<String>>;

/// Notes that a problem keeps every rule of all policies from judging the module.
fn block_all(set: &dyn PolicySet, policies: &[PathBuf], problem: Span, blocked: &mut BlockedRules) {
    let all = policies.iter().enumerate();
    blocked.extend(all.map(|(place, by)| ((place, problem), rules_of(set, by))));
}

fn key(it: &HeldFinding) -> Key {
    let place = it.finding.locations.first().map(|it| (it.file.clone(), it.line, it.column));
    let (rule, message) = (it.finding.rule.clone(), it.finding.message.clone());
    (rule, it.demanding.clone(), message, place, it.is_open)
}

/// A module and the policies that judge it.
struct Judging<'j, 's> {
    subject: &'j CheckedModule<'s>,
    set: &'j dyn PolicySet,
    /// The directories of the files that demand them.
    policies: &'j [PathBuf],
    /// Counts the work of the rules.
    meter: &'j Meter,
}

impl Judging<'_, '_> {
    /// Judges one set of inputs. Errors in its values are reported elsewhere. The values that have one, and those that
    /// may be missing because of one, are unknown here; the rules that depend on them are `blocked`.
    fn inputs(
        &self,
        mut read: Read,
        inputs: &InputSet,
        is_alone: bool,
        found: &mut PolicyFindings,
        blocked: &mut BlockedRules,
    ) -> Vec<HeldFinding> {
        let Judging { subject, set, policies, .. } = *self;
        let (mut unusable, unread) = read.trusted();
        let mut ready = read.collect(&subject.module, subject.setting());
        ready.add_distrusted(&mut unusable);
        ready.leave_out(&mut unusable);
        let problem = unread.or_else(|| unusable.values().flatten().next().copied());
        if problem.is_some() {
            ready.diagnostics.retain(|it| !it.is_error());
        }
        ready.leave_open(|name| {
            let is_lost = unread.is_some() || unusable.contains_key(name);
            is_lost || inputs.leaves_open(&subject.settings, name)
        });
        let lacks = !ready.missing.is_empty() || has_errors(&ready.diagnostics);
        let is_whole = if is_alone {
            subject.module.variables.is_empty() || is_planned_by_itself(subject)
        } else {
            inputs.missing.is_some()
        };
        let is_open = lacks || !is_whole;
        let judged = match self.with(Rest::Default, &ready) {
            Ok(judged) => judged,
            // The verdict reports the cycle.
            Err(cycle) => {
                if let Some(by) = cycle.iter().find_map(Diagnostic::span) {
                    block_all(set, policies, by, blocked);
                }
                return Vec::new();
            }
        };
        let mut always: HashSet<Identity> = HashSet::new();
        if is_open && judged.iter().any(|it| it.findings.iter().any(fails)) {
            let sure = self.with(Rest::Unknown, &ready).ok();
            for (place, judged) in sure.into_iter().flatten().enumerate() {
                let failing = judged.findings.iter().filter(|it| fails(it));
                always.extend(failing.map(|it| identity(place, it)));
            }
        }
        let mut held = Vec::new();
        for (place, judged) in judged.into_iter().enumerate() {
            found.failure = found.failure.take().or_else(|| judged.failures.into_iter().next());
            let demanding = &policies[place];
            found.covered.entry(demanding.clone()).or_default().coverage.join(judged.coverage);
            for mut finding in judged.findings {
                if finding.policy.is_some() {
                    finding.module.clone_from(&subject.shown);
                }
                if let Some(by) = problem.filter(|_| is_undecided(&finding)) {
                    let rules = blocked.entry((place, by)).or_default();
                    rules.insert(finding.rule.to_string());
                    continue;
                }
                let is_open =
                    is_open && fails(&finding) && !always.contains(&identity(place, &finding));
                held.push(HeldFinding { finding, demanding: demanding.clone(), is_open });
            }
        }
        held
    }

    /// Judges by each policy. Errors: a cycle in the module.
    fn with(&self, rest: Rest, ready: &Ready<'_>) -> Result<Vec<JudgedByPolicy>, Diagnostics> {
        let policies: Vec<&Path> = self.policies.iter().map(PathBuf::as_path).collect();
        let (system, dir) = (self.subject.system(), self.subject.dir);
        let sources = &self.subject.module.sources;
        let module = WrittenModule { system, dir, ready, rest, sources };
        self.set.judge(&policies, &module, self.meter)
    }
}

fn fails(finding: &Finding) -> bool {
    finding.policy.as_ref().is_some_and(|it| it.outcome == Decision::Fail)
}

/// Whether a plan may decide it, and the rule's author does not call that an error.
fn is_undecided(finding: &Finding) -> bool {
    let facts = finding.policy.as_ref();
    facts.is_some_and(|it| it.outcome == Decision::Undecided) && finding.level < Level::Error
}

/// The subject of a finding: the policy, the rule, the object, the argument, the expected value.
type Identity = (usize, LintId, SmolStr, Option<String>, Option<String>);

fn identity(place: usize, it: &Finding) -> Identity {
    let expected = it.policy.as_ref().and_then(|it| it.expected.clone());
    (place, it.rule.clone(), it.address.clone(), it.path.clone(), expected)
}

/// Whether the module is planned with its defaults, and not only called: it has a backend, a provider
/// configuration or a lock file.
fn is_planned_by_itself(subject: &CheckedModule<'_>) -> bool {
    let is_of_root = |block: &WrittenBlock| match block.kind.as_str() {
        "provider" => true,
        "terraform" => block.body.blocks.iter().any(|it| {
            let is_plain = matches!(it.content, BlockContent::Plain(_));
            is_plain && matches!(it.kind.name.as_str(), "backend" | "cloud")
        }),
        _ => false,
    };
    subject.module.blocks.iter().flatten().any(is_of_root)
        || subject.system().kind(&subject.dir.join(LOCK_FILE)).is_ok()
}

/// Adds a finding at its configured level. `sets`: the values files of the only sets in which it occurs.
fn add_at_level(
    held: HeldFinding,
    sets: Option<Vec<String>>,
    is_alone: bool,
    configurations: &Configurations<'_>,
    found: &mut PolicyFindings,
) {
    let HeldFinding { finding, demanding, is_open } = held;
    let Some(facts) = &finding.policy else {
        // An error in a rule, or an exhausted budget.
        return found.findings.push(finding);
    };
    let is_undecided = facts.outcome == Decision::Undecided;
    let Some(mut finding) = configurations.adjust_policy(finding, &demanding) else { return };
    if let Some(facts) = &mut finding.policy {
        facts.demanded_by = Some(demanding);
    }
    let mut help: Vec<String> = finding.help.take().into_iter().collect();
    // The finding's place is in the called module, which others may call too.
    if finding.address.starts_with("module.") {
        help.push(format!("called from {}", finding.module));
    }
    help.extend(sets.map(|it| format!("with the values of {}", it.join(", "))));
    if is_open {
        finding.level = LevelReason::OfDefaults.level(finding.level);
        let why = if is_alone { OF_DEFAULTS } else { OF_FILES };
        help.push(why.to_owned());
    }
    finding.help = Some(help.join("; ")).filter(|it| !it.is_empty());
    // A finding that a plan will decide is left out, unless the rule's author calls it an error.
    if (is_undecided && finding.level < Level::Error) || (is_open && !is_alone) {
        found.not_judged.push(NotJudged::from_finding(finding));
    } else {
        found.findings.push(finding);
    }
}
