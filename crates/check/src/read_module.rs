//! One module without a tree of them: its schema, and the verdict on values. `validate` and programs enter by it.

use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::Path,
    sync::Mutex,
};

use super::UNREADABLE;
use diagnostics::{
    Bound, Cause, Diagnostic, Diagnostics, Finding, Location, Role, Span, Verdict,
    at_most_of_a_kind, lints,
};
use module::{Module, inputs::InputRequest};
use projection::schema::{self, words_of};
use release::{Release, Wanted};
use report::{BlockedParts, NotJudged, NotJudgedKind, Report, ReportBody};
use system::{System, paths};
use tf_eval::{Limits, Meter};
use verdict::{
    JudgeSetting, Loaded, MORE_WORK,
    tree::{ContractDirectories, Library, Locator, Reach},
};

/// A module that is read once and judged any number of times, for commands and programs that have one module and no
/// tree of them.
pub struct ReadModule {
    module: Module,
    /// Diagnostics of reading.
    found: Diagnostics,
    release: Release,
    limits: Limits,
    /// The work of reading; more than the limits if reading did not finish.
    spent: u64,
    /// Modules that no verdict uses at present, so that each thread copies the module once.
    idle: Mutex<Vec<Loaded>>,
}

/// A schema, and the findings about conditions that it does not express fully.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaText {
    /// The bytes of `schema.json`, with the line end.
    pub text: String,
    /// One for each condition that the schema expresses in part or not at all, and one for each pattern
    /// that may keep an engine busy.
    pub findings: Vec<Finding>,
}

/// How a verdict is made.
#[derive(Clone, Copy, Default)]
pub struct Judging<'a> {
    /// Contracts that stand in for called modules which are not here.
    pub contracts: Option<&'a dyn ContractDirectories>,
    /// Whether the report of a rejected module also has what Terraform would report once the first errors are
    /// repaired. These findings are marked as later ones, and what an error keeps from being judged is listed as
    /// not judged.
    pub goes_on: bool,
}

impl ReadModule {
    /// Reads the module in a directory. What the module calls decides, too, which release is the newest that may run
    /// it; `contracts` stand in for called modules that are not here. Each task (reading, a schema, a verdict) has
    /// the limits of one module. Errors: the directory cannot be read.
    pub fn read(
        system: &dyn System,
        dir: &Path,
        wanted: Wanted,
        limits: Limits,
        contracts: Option<&dyn ContractDirectories>,
    ) -> io::Result<ReadModule> {
        let meter = Meter::new(limits);
        let load = |options: &_| module::load_metered(system, dir, options, &meter);
        let reach = Reach {
            system,
            library: &Library::default(),
            locator: &Locator::in_directory(system, dir, contracts),
            keeps_blocks: false,
            meter: &Meter::new(limits),
        };
        let (module, found, release) = reach.load(wanted, load)?;
        let spent = if meter.is_exhausted() { u64::MAX } else { meter.spent() };
        Ok(ReadModule { module, found, release, limits, spent, idle: Mutex::default() })
    }

    /// The module as it was read.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The release that judges.
    pub fn release(&self) -> Release {
        self.release
    }

    /// The errors of the module that no inputs change.
    pub fn findings(&self) -> Vec<Finding> {
        self.resolved(&self.found)
    }

    /// The first error that makes the contract incomplete: a file that cannot be read, or a `variable` block
    /// with an error.
    pub fn obstacle(&self) -> Option<&Diagnostic> {
        self.found.iter().find(|it| prevents(it))
    }

    /// The module's JSON Schema. Errors: why there is none: unreadable files, an erroneous `variable`
    /// block, or more work than the limits allow.
    pub fn schema(&self, options: &schema::SchemaOptions) -> Result<SchemaText, Vec<Finding>> {
        let fatal: Diagnostics = self.found.iter().filter(|it| prevents(it)).cloned().collect();
        if !fatal.is_empty() {
            return Err(self.resolved(&fatal));
        }
        let meter = self.meter();
        let generated = schema::generate_metered(&self.module, options, &meter);
        if meter.is_exhausted() {
            let problem = Diagnostic::new(&lints::BUDGET_EXCEEDED, Bound::Module.reason());
            let problem = problem.cause(Cause::Budget(Bound::Module));
            return Err(self.resolved(&vec![problem.help(MORE_WORK)]));
        }
        let text = generated.schema.to_json().to_text(false) + "\n";
        Ok(SchemaText { text, findings: self.resolved(&generated.diagnostics) })
    }

    /// The verdict of `terraform plan` on the inputs: a report with a verdict, findings with their places, and a list
    /// of what was not judged.
    pub fn judge(
        &self,
        system: &dyn System,
        inputs: &InputRequest,
        judging: Judging<'_>,
    ) -> Report {
        self.judge_counted(system, inputs, judging).0
    }

    /// Like [`judge`](ReadModule::judge), with the units of work that it took.
    pub fn judge_counted(
        &self,
        system: &dyn System,
        inputs: &InputRequest,
        judging: Judging<'_>,
    ) -> (Report, u64) {
        let idle = || self.idle.lock().ok()?.pop();
        let mut module = match idle() {
            Some(mut module) => {
                module.restart(&self.module.sources);
                module
            }
            None => Loaded::new(self.module.clone()),
        };
        let meter = &self.meter();
        let report = self.judge_in(&mut module, system, inputs, judging, meter);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(module);
        }
        (report, meter.spent())
    }

    fn judge_in(
        &self,
        module: &mut Loaded,
        system: &dyn System,
        inputs: &InputRequest,
        Judging { contracts, goes_on }: Judging<'_>,
        meter: &Meter,
    ) -> Report {
        let setting = JudgeSetting {
            system,
            base_dir: &self.module.dir,
            release: self.release,
            workspace: None,
            awaits: false,
            onward: None,
            meter,
            words: Some(words_of),
        };
        let mut found = self.found.clone();
        found.extend(module.follow_initialised(inputs, contracts, setting));
        let mut judgement = verdict::plan(module, found.clone(), inputs, setting);
        let is_older = verdict::leave_to_older(self.release, &mut judgement.diagnostics);
        if is_older {
            judgement.verdict = verdict::verdict_of(&judgement.diagnostics);
        }
        let (diagnostics, _) = verdict::report_budgets(judgement.diagnostics, meter);
        let diagnostics = at_most_of_a_kind(diagnostics, &module.sources);
        // A module that was not judged completely is not accepted.
        let verdict = if meter.is_exhausted() { Verdict::Undecided } else { judgement.verdict };
        let shown = paths::display(&self.module.dir);
        let not_judged = module.not_judged();
        let not_judged = not_judged.iter().map(|it| NotJudged::new(it, &shown, &module.sources));
        let mut report = Report {
            body: ReportBody::Verdict(verdict),
            findings: diagnostics
                .iter()
                .map(|it| Finding::new(it, &shown, &module.sources))
                .collect(),
            not_judged: not_judged.collect(),
            ..Report::default()
        };
        if goes_on && (verdict == Verdict::Reject || is_older) && !meter.is_exhausted() {
            self.add_later(&mut report, module, found, inputs, setting);
        }
        report.judged_as.add(self.release);
        report.sort();
        report
    }

    /// Adds what would fail next.
    fn add_later(
        &self,
        report: &mut Report,
        module: &mut Loaded,
        found: Diagnostics,
        inputs: &InputRequest,
        setting: JudgeSetting<'_>,
    ) {
        let shown = paths::display(&self.module.dir);
        let mut judgement = verdict::plan_all(module, found, inputs, setting);
        verdict::leave_to_older(self.release, &mut judgement.diagnostics);
        let (diagnostics, _) = verdict::report_budgets(judgement.diagnostics, setting.meter);
        let place = |it: &Finding| {
            let at = it.locations.first();
            let at = at.map(|place| (place.file.clone(), place.line, place.column));
            (it.rule.clone(), at, it.address.clone(), it.variable.clone(), it.validation)
        };
        let first: HashSet<_> = report.findings.iter().map(place).collect();
        let all = diagnostics.iter().filter(|it| it.is_error());
        let all = all.map(|it| Finding::new(it, &shown, &module.sources));
        let later = all.filter(|it| !first.contains(&place(it)));
        report.findings.extend(later.map(|it| Finding { later: true, ..it }));
        let mut blocked: BTreeMap<(Span, bool), Vec<String>> = BTreeMap::new();
        for it in judgement.blocked {
            blocked.entry((it.by, it.is_own)).or_default().push(it.part);
        }
        for ((by, is_own), mut parts) in blocked {
            parts.sort_unstable();
            parts.dedup();
            let problem = Location::new(Role::Declaration, by, "", &module.sources);
            let what = NotJudgedKind::Blocked(BlockedParts::new(
                parts,
                false,
                Vec::new(),
                problem,
                is_own,
            ));
            report.not_judged.push(NotJudged { module: shown.clone(), what });
        }
        report.settle_blocked();
    }

    /// A meter for further work on the module, with the work of reading counted.
    fn meter(&self) -> Meter {
        let meter = Meter::new(self.limits);
        meter.charge(self.spent);
        meter
    }

    fn resolved(&self, diagnostics: &Diagnostics) -> Vec<Finding> {
        let shown = paths::display(&self.module.dir);
        diagnostics.iter().map(|it| Finding::new(it, &shown, &self.module.sources)).collect()
    }
}

/// Whether a diagnostic makes a schema impossible. Errors outside `variable` blocks do not matter if the
/// files can be read.
pub fn prevents(diagnostic: &Diagnostic) -> bool {
    diagnostic.is_error() && diagnostic.rule.is_one_of(&UNREADABLE)
}
