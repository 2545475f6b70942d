//! `policy test`: judges the examples in tests by the rules, and compares the outcomes with what the tests
//! expect.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use smol_str::SmolStr;

use super::{
    Asked, GivenContexts, GovernedModule, Judged, Policy,
    judge::judge_plan,
    language::{Expectation, ExpectedOutcome, ParsedRules, RuleTest, TestInput},
    plan,
};
use diagnostics::{
    Decision, Diagnostic, Finding, LintId, Location, PolicyFacts, Role, Sources, Span,
    did_you_mean, lints,
};
use module::inputs::InputRequest;
use release::Wanted;
use system::{MemorySystem, paths};
use tf_eval::Meter;

/// The result of all tests.
#[derive(Debug, Default)]
pub struct Tested {
    pub findings: Vec<Finding>,
    /// Notes on rules that pass a test because they judge nothing in it.
    pub remarks: Vec<Finding>,
    /// A sentence for each test that could not be run.
    pub failures: Vec<String>,
    pub total: usize,
    /// Tests whose expectations are not all met, or that could not be run.
    pub failed: usize,
}

impl Tested {
    /// Adds the result of further tests.
    pub fn join(&mut self, other: Tested) {
        self.findings.extend(other.findings);
        self.remarks.extend(other.remarks);
        self.failures.extend(other.failures);
        self.total += other.total;
        self.failed += other.failed;
    }
}

/// Reads a file that a test names; an error is a sentence.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> Result<Arc<[u8]>, String>;

/// Runs the tests in some files of rules (path as shown, text).
pub fn test(files: &[(String, Arc<[u8]>)], read_file: ReadFile<'_>, meter: &Meter) -> Tested {
    let parsed = &ParsedRules::new(files.to_vec(), meter);
    let (tests, problems) = parsed.tests(meter);
    let mut reported = Reported::default();
    reported.problems(&problems, None, &parsed.sources);
    let mut tested = Tested { total: tests.len(), ..Tested::default() };
    for test in tests.iter().filter(|_| problems.is_empty()) {
        let before = (reported.count, tested.findings.len(), tested.failures.len());
        let runner = Runner { parsed, read_file, meter, test };
        match runner.run(&mut reported) {
            Ok(findings) => {
                let is_remark = |it: &Finding| it.rule == lints::NOTHING_JUDGED;
                let (remarks, findings): (Vec<_>, Vec<_>) =
                    findings.into_iter().partition(is_remark);
                tested.findings.extend(findings);
                tested.remarks.extend(remarks);
            }
            Err(why) => tested.failures.push(format!("test {:?}: {why}", test.name.as_str())),
        }
        let after = (reported.count, tested.findings.len(), tested.failures.len());
        tested.failed += usize::from(before != after);
    }
    tested.findings.extend(reported.findings);
    tested
}

/// Errors in rules: each is reported once, however many tests meet it.
#[derive(Default)]
struct Reported {
    seen: BTreeSet<(String, String)>,
    findings: Vec<Finding>,
    /// How many errors were met, with repetitions.
    count: usize,
}

impl Reported {
    fn problems(&mut self, problems: &[Diagnostic], test: Option<&RuleTest>, sources: &Sources) {
        for it in problems {
            let mut finding = Finding::new(it, "", sources);
            if let Some(test) = test {
                let text = format!("in the test {:?}", test.name.as_str());
                finding.locations.push(Location::new(Role::Rule, test.span, &text, sources));
            }
            let place = it.span().map_or(String::new(), |it| sources.display(it));
            self.add(finding, place);
        }
    }

    fn add(&mut self, finding: Finding, place: String) {
        self.count += 1;
        if self.seen.insert((finding.message.clone(), place)) {
            self.findings.push(finding);
        }
    }
}

struct Runner<'a> {
    parsed: &'a ParsedRules,
    read_file: ReadFile<'a>,
    meter: &'a Meter,
    test: &'a RuleTest,
}

impl Runner<'_> {
    /// Runs the test; returns what is not as expected. Errors: a sentence about what could not be read.
    fn run(&self, reported: &mut Reported) -> Result<Vec<Finding>, String> {
        let given = GivenContexts { values: self.test.context.clone(), ..GivenContexts::default() };
        let (mut policy, problems) = self.parsed.policy(&given, self.meter);
        if !problems.is_empty() {
            reported.problems(&problems, Some(self.test), &policy.sources);
            return Ok(Vec::new());
        }
        policy.rules.retain(|rule| self.test.expect.iter().any(|it| it.rule == rule.id));
        // A test expects outcomes, not levels.
        for rule in &mut policy.rules {
            rule.level = rule.level.map(|_| diagnostics::Level::Error);
            rule.undecided = Some(diagnostics::Level::Warning);
        }
        let judged = match &self.test.input {
            TestInput::Plan(file, span) => self.plan(&policy, file, *span)?,
            TestInput::Config(text, _) => self.config(&policy, text)?,
        };
        let mut findings = Vec::new();
        let (of_rule, wrong): (Vec<Finding>, Vec<Finding>) =
            judged.findings.into_iter().partition(|it| it.policy.is_some());
        for it in wrong {
            let place = it.locations.first().map_or(String::new(), |it| format!("{it:?}"));
            reported.add(it, place);
        }
        if let Some(why) = judged.failures.first() {
            return Err(why.clone());
        }
        for expectation in &self.test.expect {
            let id = LintId::of_policy(&expectation.rule);
            let of_rule: Vec<&Finding> = of_rule.iter().filter(|it| it.rule == id).collect();
            let none = BTreeSet::new();
            let covered = judged.covered.get(&expectation.rule).unwrap_or(&none);
            let is_off =
                policy.rules.iter().any(|it| it.id == expectation.rule && it.level.is_none());
            let is_pass = matches!(expectation.wanted, ExpectedOutcome::All(Decision::Pass));
            if is_pass && covered.is_empty() && !is_off {
                findings.push(self.nothing_judged(expectation));
            }
            self.compare(expectation, &RuleFindings { of_rule, covered, is_off }, &mut findings);
        }
        Ok(findings)
    }

    fn plan(&self, policy: &Policy, file: &str, span: Span) -> Result<Judged, String> {
        let rules = Path::new(&self.parsed.sources.file(span.file).path);
        let path = paths::clean(&rules.parent().unwrap_or(Path::new("")).join(file));
        let bytes = (self.read_file)(&path)?;
        let asked = Asked::new(policy);
        let plan = plan::read(&bytes, &asked);
        let shown = || paths::display(&path);
        let plan = plan.map_err(|why| format!("{} cannot be judged: {why}", shown()))?;
        Ok(judge_plan(policy, &plan, self.meter, true))
    }

    /// Judges the text as the only file of a root module. It sees no other file and no environment.
    fn config(&self, policy: &Policy, text: &str) -> Result<Judged, String> {
        let system = MemorySystem::new().file("/main.tf", text).working_in("/");
        let read = GovernedModule::read(&system, Path::new("."), Wanted::default(), self.meter);
        let mut configuration = read.map_err(|why| why.to_string())?;
        let request = InputRequest { dir: PathBuf::from("."), ..InputRequest::default() };
        Ok(configuration.judge_asked(policy, &request, true))
    }

    fn compare(&self, it: &Expectation, heard: &RuleFindings<'_>, findings: &mut Vec<Finding>) {
        match &it.wanted {
            ExpectedOutcome::All(wanted) => {
                let worst = heard.of_rule.iter().map(|it| outcome_of(it)).max().unwrap_or_default();
                if worst != *wanted {
                    let why = heard.reasons(&heard.of_rule, worst);
                    findings.push(self.unmet(&it.rule, it.span, "", *wanted, worst, &why));
                }
            }
            ExpectedOutcome::Each(each) => {
                for (address, wanted, span) in each {
                    let (of_rule, worst) = heard.of(address);
                    if !heard.knows(address) {
                        let summary = format!("{address}: the rule judges no such object");
                        let hint = did_you_mean(address, heard.covered.iter().map(SmolStr::as_str));
                        let message = format!("{summary}.{hint}");
                        findings.push(self.finding(&it.rule, *span, &message, &[]));
                    } else if worst != *wanted {
                        let why = heard.reasons(&of_rule, worst);
                        let place = format!("{address}: ");
                        findings.push(self.unmet(&it.rule, *span, &place, *wanted, worst, &why));
                    }
                }
                let others: BTreeSet<&str> =
                    heard.of_rule.iter().map(|it| it.address.as_str()).collect();
                let is_named = |address: &str| each.iter().any(|it| it.0 == address);
                for address in others.into_iter().filter(|it| !is_named(it)) {
                    let (of_rule, worst) = heard.of(address);
                    let why = heard.reasons(&of_rule, worst);
                    let place = format!("{address}, which the test does not list: ");
                    let wanted = Decision::Pass;
                    findings.push(self.unmet(&it.rule, it.span, &place, wanted, worst, &why));
                }
            }
        }
    }

    fn unmet(
        &self,
        rule: &str,
        span: Span,
        place: &str,
        wanted: Decision,
        worst: Decision,
        why: &(Vec<String>, Option<Location>),
    ) -> Finding {
        let (wanted, worst) = (wanted.as_str(), worst.as_str());
        let message = format!("{place}expected {wanted}, found {worst}\n{}", why.0.join("\n"));
        let mut finding = self.finding(rule, span, &message, why.1.as_slice());
        let facts = PolicyFacts {
            outcome: Decision::Fail,
            expected: Some(wanted.to_owned()),
            found: Some(worst.to_owned()),
            ..PolicyFacts::default()
        };
        finding.policy = Some(Box::new(facts));
        finding
    }

    fn nothing_judged(&self, it: &Expectation) -> Finding {
        let (test, rule) = (self.test.name.as_str(), it.rule.as_str());
        let message =
            format!("test {test:?}: the rule {rule:?} passes, because it judges nothing here");
        let diagnostic = Diagnostic::new(&lints::NOTHING_JUDGED, message).at(Role::Rule, it.span);
        Finding::new(&diagnostic, "", &self.parsed.sources)
    }

    fn finding(&self, rule: &str, span: Span, message: &str, further: &[Location]) -> Finding {
        let message = format!("test {:?}: {message}", self.test.name.as_str());
        let diagnostic =
            Diagnostic::new(&lints::INVALID_CONFIGURATION, message).at(Role::Rule, span);
        let mut finding = Finding::new(&diagnostic, "", &self.parsed.sources);
        finding.rule = LintId::of_policy(rule);
        finding.locations.extend_from_slice(further);
        finding
    }
}

fn outcome_of(it: &Finding) -> Decision {
    it.policy.as_ref().map_or(Decision::Pass, |it| it.outcome)
}

/// The findings of one rule in a test, and the addresses that it judged.
struct RuleFindings<'a> {
    of_rule: Vec<&'a Finding>,
    covered: &'a BTreeSet<SmolStr>,
    is_off: bool,
}

/// The most findings that are quoted.
const QUOTED: usize = 3;

impl<'a> RuleFindings<'a> {
    fn of(&self, address: &str) -> (Vec<&'a Finding>, Decision) {
        let of_rule = self.of_rule.iter().copied().filter(|it| it.address == address);
        let of_rule: Vec<&Finding> = of_rule.collect();
        let worst = of_rule.iter().map(|it| outcome_of(it)).max().unwrap_or_default();
        (of_rule, worst)
    }

    /// Whether the rule judged the object or, if it counts instances, an instance of it.
    fn knows(&self, address: &str) -> bool {
        let instance = format!("{address}[");
        self.covered.contains(address) || self.covered.iter().any(|it| it.starts_with(&instance))
    }

    /// Lines that explain the outcome, and a place in the rule.
    fn reasons(&self, of_rule: &[&Finding], worst: Decision) -> (Vec<String>, Option<Location>) {
        if worst == Decision::Pass {
            let why = match self.covered.len() {
                _ if self.is_off => "its level is \"off\"".to_owned(),
                0 => "it judges nothing".to_owned(),
                1 => "it judges one object, which passes".to_owned(),
                number => format!("it judges {number} objects, and all pass"),
            };
            return (vec![why], None);
        }
        let mut by_place: BTreeMap<&str, &Finding> = BTreeMap::new();
        for it in of_rule.iter().filter(|it| outcome_of(it) == worst) {
            by_place.entry(it.message.as_str()).or_insert(it);
        }
        let first_line = |it: &&str| it.lines().next().unwrap_or_default().to_owned();
        let mut lines: Vec<String> = by_place.keys().take(QUOTED).map(first_line).collect();
        if by_place.len() > QUOTED {
            lines.push(format!("and {} more", by_place.len() - QUOTED));
        }
        let place = by_place.values().next().and_then(|it| it.locations.first()).cloned();
        (lines, place)
    }
}
