//! The front door for Rust programs: a module's contract, its schema, and the verdict on values.
//!
//! A directory goes in; a schema, findings and verdicts come out. It joins the layers in the order that is
//! right, so that a program needs to know none of them.
//!
//! ```
//! # std::env::set_current_dir("../..").unwrap();
//! use terraschema_api::Contract;
//! use diagnostics::Verdict;
//! use projection::schema::Options;
//!
//! let contract = Contract::load("examples/web-service").expect("a directory that can be read");
//!
//! // What `terraschema generate` writes into schema.json.
//! let schema = contract.schema(&Options::default()).expect("variables that can be read");
//! assert_eq!(schema.text, std::fs::read_to_string("examples/web-service/schema.json").unwrap());
//!
//! // What `terraform plan` says of values: `-var-file`, `-var`, or a text that is in memory.
//! let inputs = contract.inputs().file("environments/prod.tfvars");
//! let report = contract.judge(&inputs);
//! assert_eq!(report.verdict, Some(Verdict::Accept), "{:?}", report.findings);
//!
//! let inputs = inputs.text("form.tfvars.json", r#"{"replicas": 1}"#);
//! let report = contract.judge(&inputs);
//! assert_eq!(report.verdict, Some(Verdict::Reject));
//! let finding = &report.findings[0];
//! assert_eq!(finding.variable.as_deref(), Some("replicas"));
//! assert!(finding.message.contains("Production needs at least two replicas."));
//! ```
//! A verdict is [`Verdict::Undecided`](diagnostics::Verdict) where only a plan can tell; the
//! findings say why. [`report::render`] writes a report in every format of the
//! command.
//!
//! Files outside of the module's directory are read, too: put a stranger's module behind
//! [`ConfinedSystem`](system::ConfinedSystem), which [`Contract::read`] takes as any other [`System`].

use std::{
    collections::{BTreeMap, HashSet},
    io,
    path::Path,
};

use diagnostics::{
    Bound, Cause, Diagnostic, Diagnostics, Finding, Location, Role, Span, Verdict,
    at_most_of_a_kind, lints,
};
use module::{Module, inputs::Request};
use projection::schema;
use release::{Product, Release, Wanted};
use report::{Blocked, Left, NotJudged, Report};
use system::{OsSystem, System, paths};
use tf_eval::{Limits, Meter};
use verdict::{
    Loaded, MORE_WORK, Setting,
    tree::{Contracts, Library, Locator, Reach},
};

/// A module that is read once and judged any number of times.
pub struct Contract<'s> {
    system: &'s dyn System,
    module: Module,
    /// Diagnostics of reading.
    found: Diagnostics,
    release: Release,
    limits: Limits,
    /// The work of reading; more than the limits if reading did not finish.
    spent: u64,
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

impl Contract<'static> {
    /// Reads the module in a directory of this machine, for the newest Terraform that it admits. Errors:
    /// the directory cannot be read. Errors in the module are told by [`Contract::findings`].
    pub fn load(dir: impl AsRef<Path>) -> io::Result<Contract<'static>> {
        let wanted = Wanted::Newest(Product::Terraform);
        Contract::read(&OsSystem, dir.as_ref(), wanted, Limits::default())
    }
}

impl<'s> Contract<'s> {
    /// Like [`Contract::load`], with files from anywhere, for another release, or with other limits.
    /// Each task on the contract (reading, a schema, a verdict) has the limits of one module.
    pub fn read(
        system: &'s dyn System,
        dir: &Path,
        wanted: Wanted,
        limits: Limits,
    ) -> io::Result<Contract<'s>> {
        Contract::read_by(system, dir, wanted, limits, None)
    }

    /// Like [`Contract::read`], with contracts that stand in for called modules which are not here: what the
    /// module calls decides, too, which release is the newest that may run it.
    pub fn read_by(
        system: &'s dyn System,
        dir: &Path,
        wanted: Wanted,
        limits: Limits,
        contracts: Option<&dyn Contracts>,
    ) -> io::Result<Contract<'s>> {
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
        Ok(Contract { system, module, found, release, limits, spent })
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
        self.told(&self.found)
    }

    /// The module's JSON Schema. Errors: why there is none: unreadable files, an erroneous `variable`
    /// block, or more work than the limits allow.
    pub fn schema(&self, options: &schema::Options) -> Result<SchemaText, Vec<Finding>> {
        let fatal: Diagnostics = self.found.iter().filter(|it| prevents(it)).cloned().collect();
        if !fatal.is_empty() {
            return Err(self.told(&fatal));
        }
        let meter = self.meter();
        let generated = schema::generate_metered(&self.module, options, &meter);
        if meter.is_exhausted() {
            let problem = Diagnostic::new(&lints::BUDGET_EXCEEDED, Bound::Module.reason());
            let problem = problem.cause(Cause::Budget(Bound::Module));
            return Err(self.told(&vec![problem.help(MORE_WORK)]));
        }
        let text = generated.schema.to_json().to_text(false) + "\n";
        Ok(SchemaText { text, findings: self.told(&generated.diagnostics) })
    }

    /// An empty request: it reads neither the environment nor `terraform.tfvars`, unless it is told to.
    pub fn inputs(&self) -> Request {
        Request { dir: self.module.dir.clone(), ..Request::default() }
    }

    /// The verdict of `terraform plan` on the inputs: a report with a verdict, findings with their
    /// places, and a list of what was not judged.
    pub fn judge(&self, inputs: &Request) -> Report {
        self.judge_by(inputs, None)
    }

    /// Like [`Contract::judge`], with contracts that stand in for called modules which are not here.
    pub fn judge_by(&self, inputs: &Request, contracts: Option<&dyn Contracts>) -> Report {
        self.judge_with(inputs, contracts, false)
    }

    /// Like [`Contract::judge_by`]. After a rejection the report also has what Terraform would report once the first
    /// errors are repaired; those findings are marked as later ones. What an error keeps from being judged is
    /// listed as not judged.
    pub fn judge_all(&self, inputs: &Request, contracts: Option<&dyn Contracts>) -> Report {
        self.judge_with(inputs, contracts, true)
    }

    fn judge_with(
        &self,
        inputs: &Request,
        contracts: Option<&dyn Contracts>,
        goes_on: bool,
    ) -> Report {
        let meter = &self.meter();
        let setting = Setting {
            system: self.system,
            base_dir: &self.module.dir,
            release: self.release,
            workspace: None,
            awaits: false,
            onward: None,
            meter,
        };
        let mut module = Loaded::new(self.module.clone());
        let mut found = self.found.clone();
        found.extend(module.follow_initialised(inputs, contracts, setting));
        let judgement = verdict::plan(&mut module, found.clone(), inputs, setting);
        let (diagnostics, _) = verdict::tell_budgets(judgement.diagnostics, meter);
        let diagnostics = at_most_of_a_kind(diagnostics, &module.sources);
        // A module that was not judged completely is not accepted.
        let verdict = if meter.is_exhausted() { Verdict::Undecided } else { judgement.verdict };
        let shown = paths::display(&self.module.dir);
        let not_judged = module.not_judged();
        let not_judged = not_judged.iter().map(|it| NotJudged::new(it, &shown, &module.sources));
        let mut report = Report {
            verdict: Some(verdict),
            findings: diagnostics
                .iter()
                .map(|it| Finding::new(it, &shown, &module.sources))
                .collect(),
            not_judged: not_judged.collect(),
            ..Report::default()
        };
        if goes_on && verdict == Verdict::Reject && !meter.is_exhausted() {
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
        mut module: Loaded,
        found: Diagnostics,
        inputs: &Request,
        setting: Setting<'_>,
    ) {
        let shown = paths::display(&self.module.dir);
        let judgement = verdict::plan_all(&mut module, found, inputs, setting);
        let (diagnostics, _) = verdict::tell_budgets(judgement.diagnostics, setting.meter);
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
            let what = Left::Blocked(Blocked::new(parts, false, Vec::new(), (problem, is_own)));
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

    fn told(&self, diagnostics: &Diagnostics) -> Vec<Finding> {
        let shown = paths::display(&self.module.dir);
        diagnostics.iter().map(|it| Finding::new(it, &shown, &self.module.sources)).collect()
    }
}

/// Whether a diagnostic makes a schema impossible. Errors outside `variable` blocks do not matter if the
/// files can be read.
pub fn prevents(diagnostic: &Diagnostic) -> bool {
    let rules = [
        &lints::INVALID_SYNTAX,
        &lints::UNREADABLE_FILE,
        &lints::INVALID_VARIABLE,
        &lints::BUDGET_EXCEEDED,
        &lints::OUTSIDE_ROOT,
    ];
    diagnostic.is_error() && diagnostic.rule.is_one_of(&rules)
}
