//! One module: load it, compare its schema, judge its inputs.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use super::{
    Directory, budget, documentation,
    drift::{self, Drift},
    examples::is_example,
    inputs, module_calls,
    policies::{self, Values},
    policy_set::{Covered, PolicyFindings},
    readme, rules,
    subject::{Absent, Block, CheckedModule, RunContext},
    suppress,
    units::leave_sources_open,
};
use diagnostics::{Cause, Diagnostic, Diagnostics, Finding, Location, Role, at_most_of_a_kind};
use projection::schema::{self, Generated};
use release::Release;
use report::{
    BlockedParts, ModuleReport, NotJudged, NotJudgedKind, Status, Translations, UsedSuppression,
    ValuesFiles,
};
use system::paths;

/// A value in a file for a variable that the module declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct DeclaredValue {
    /// As shown.
    pub file: String,
    pub name: SmolStr,
    /// As shown.
    pub module: String,
}

/// The result of checking one directory.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub findings: Vec<Finding>,
    pub not_judged: Vec<NotJudged>,
    /// `None` when the directory declares no variables.
    pub module: Option<ModuleReport>,
    /// Values files here that cannot belong to this directory.
    pub loose: Vec<PathBuf>,
    /// The fate of the values files.
    pub values_files: ValuesFiles,
    /// Whether it is a module that declares no variables.
    pub is_without_variables: bool,
    /// The release whose verdict this is; `None` where nothing was judged.
    pub release: Option<Release>,
    /// The places of suppressions that silence something.
    pub suppressions: Vec<UsedSuppression>,
    /// The error that broke the check off.
    pub failure: Option<String>,
    /// Values files that the request excludes, as shown.
    pub left_out: BTreeSet<String>,
    /// The file whose documentation was written, as shown.
    pub documented: Option<String>,
    /// The values that `--fix-inputs` must not take from this module.
    pub declared: Vec<DeclaredValue>,
    /// The work that it took.
    pub work: u64,
    /// What the rules of policies were about, by the directory of the file that demands them.
    pub covered: BTreeMap<PathBuf, Covered>,
}

impl Outcome {
    /// The outcome of an error, whose text names the path.
    pub fn failed(error: &io::Error, path: &Path) -> Outcome {
        Outcome { failure: Some(with_path(error, path)), ..Outcome::default() }
    }

    /// The same outcome with the findings of policies.
    pub fn with(mut self, found: PolicyFindings) -> Outcome {
        self.findings.extend(found.findings);
        self.not_judged.extend(found.not_judged);
        self.work = self.work.saturating_add(found.work);
        self.failure = self.failure.or(found.failure);
        self.covered = found.covered;
        self
    }
}

/// The text of an error, which names the path.
pub(super) fn with_path(error: &io::Error, path: &Path) -> String {
    let (text, path) = (error.to_string(), paths::display(path));
    if text.contains(&path) { text } else { format!("{path}: {text}") }
}

/// Checks a directory: its schema and its inputs.
pub(super) fn check(
    context: &RunContext<'_>,
    dir: &Path,
    directory: &Directory,
) -> io::Result<Outcome> {
    let mut subject = module_calls::load(context, dir)?;
    // A policy is about what is used.
    let used = directory.values.iter().filter(|it| !is_example(it)).cloned().collect::<Vec<_>>();
    let values = &Values { own: &used, taken: &directory.taken };
    if directory.is_of_policies {
        subject.diagnostics.clear();
        policies::check(&mut subject, context, values)?;
        return Ok(finish(&mut subject, None));
    }
    let is_unread = !subject.is_loaded || subject.meter.is_exhausted();
    // A part that was not read may declare variables.
    let lacks_variables = subject.module.distrusted().lacks_variables.is_some();
    if subject.module.variables.is_empty() && !is_unread && !lacks_variables {
        return without_variables(&mut subject, context, directory);
    }
    if is_unread {
        policies::check(&mut subject, context, values)?;
        let report = report(&subject, Status::Skipped, &[]);
        return Ok(finish(&mut subject, Some(report)));
    }
    let (generated, mut status, diff) = examine(&mut subject);
    if !subject.is_readable {
        status = Status::Skipped;
    }
    if status != Status::Skipped {
        documentation::check(&mut subject);
    }
    let (inputs, variables) = (&subject.settings.inputs, subject.module.variables.keys());
    context.configurations.note_module(dir, inputs, variables);
    if !inputs::check(&mut subject, &directory.values, &generated.schema)? {
        module_calls::judge_alone(&mut subject);
    }
    readme::check(&mut subject, context, &generated.schema);
    module_calls::check(&mut subject);
    add_refused_rules(&mut subject, &generated);
    policies::check(&mut subject, context, values)?;
    let mut report = report(&subject, status, &[generated]);
    report.diff = diff;
    Ok(finish(&mut subject, Some(report)))
}

/// A directory whose check broke off.
pub(super) fn failed(context: &RunContext<'_>, dir: &Path, error: &io::Error) -> Outcome {
    let schema = paths::display(&dir.join(context.configurations.schema_file(dir)));
    let (path, translations) = (paths::display(dir), Translations::default());
    let module = ModuleReport { path, schema, status: Status::Skipped, translations, diff: None };
    Outcome { module: Some(module), ..Outcome::failed(error, dir) }
}

/// Everything that can be found out without inputs.
pub(super) fn examine(subject: &mut CheckedModule<'_>) -> (Generated, Status, Option<String>) {
    let generated =
        schema::generate_metered(&subject.module, &subject.settings.schema, &subject.meter);
    let text = generated.schema.to_text(subject.settings.escape_json) + "\n";
    if !budget::charge_schema(&text, &subject.meter) {
        return (generated, Status::Skipped, None);
    }
    // The others come later, if nothing else reports them.
    let own = generated.diagnostics.iter().filter(|it| it.cause != Some(Cause::FalseForUnknowns));
    let distrust = subject.module.distrusted();
    let is_certain = |problem: &&Diagnostic| {
        problem.variable.as_ref().is_none_or(|name| {
            let declared = subject.module.variables.get(name);
            let is_hidden = declared.is_some_and(|it| distrust.hides(name, it.span).is_some());
            !is_hidden && !distrust.variables.contains_key(name)
        })
    };
    let own: Vec<_> = own.filter(is_certain).cloned().collect();
    let found = rules::of_module(subject);
    let found: Vec<_> = found.iter().filter(is_certain).cloned().collect();
    // `--fix` writes nothing from a module that was read in part.
    let has_schema = subject.system().kind(&subject.schema_path()).is_ok();
    let unread = distrust.partial.filter(|_| subject.request.fix || !has_schema);
    let lacks = distrust.lacks_variables.or(unread);
    subject.diagnostics.extend(own);
    subject.diagnostics.extend(found);
    // A schema without some of the variables would be another one.
    if let Some(by) = lacks {
        let part = paths::display(&subject.schema_path());
        // Where there is none, the error alone says what to do next.
        subject.block(Block { by, part, file: None, is_own: !has_schema });
        return (generated, Status::Skipped, None);
    }
    let Drift { status, diff, found, failure } = drift::check(subject, &generated, &text);
    subject.diagnostics.extend(found);
    subject.failure = failure.map(|it| with_path(&it, &subject.schema_path()));
    (generated, status, diff)
}

/// Adds diagnostics for rules that are false for unknown variables, which Terraform refuses. A verdict reports them
/// with the author's message, but a check without calls has no verdict, and neither has one whose values do not parse.
pub(super) fn add_refused_rules(subject: &mut CheckedModule<'_>, generated: &Generated) {
    for refusal in &generated.diagnostics {
        let is_same = |it: &Diagnostic| {
            it.is_error()
                && it.rule == refusal.rule
                && (&it.variable, it.validation) == (&refusal.variable, refusal.validation)
        };
        let is_of_unknowns = refusal.cause == Some(Cause::FalseForUnknowns);
        if is_of_unknowns && !subject.diagnostics.iter().any(is_same) {
            subject.diagnostics.push(refusal.clone());
        }
    }
}

fn without_variables(
    subject: &mut CheckedModule<'_>,
    context: &RunContext<'_>,
    directory: &Directory,
) -> io::Result<Outcome> {
    let nested = subject.schema_path();
    // A block that does not parse may have been a variable.
    let is_read =
        !subject.diagnostics.iter().any(|it| it.rule == diagnostics::lints::UNSUPPORTED_ARGUMENT);
    if is_read && (directory.has_schema || subject.system().kind(&nested).is_ok()) {
        let found = rules::orphan_schema::check(subject);
        subject.diagnostics.extend(found);
    }
    if is_read && subject.is_readable {
        documentation::check(subject);
    }
    module_calls::judge_alone(subject);
    // A call in a README may still set what used to be a variable.
    if is_read && subject.is_readable && directory.has_sources && readme::is_any(subject, context) {
        let options = &subject.settings.schema;
        let generated = schema::generate_metered(&subject.module, options, &subject.meter);
        readme::check(subject, context, &generated.schema);
    }
    module_calls::check(subject);
    // Its values files belong to a module further up, or are judged by themselves.
    policies::check(subject, context, &Values { own: &[], taken: &directory.taken })?;
    let unread = (!subject.is_readable).then(|| report(subject, Status::Skipped, &[]));
    let mut outcome = finish(subject, unread);
    outcome.loose.clone_from(&directory.values);
    outcome.is_without_variables = directory.has_sources;
    Ok(outcome)
}

fn report(subject: &CheckedModule<'_>, status: Status, generated: &[Generated]) -> ModuleReport {
    let mut translations = Translations::default();
    for (_, blocks) in generated.iter().flat_map(|it| &it.translations) {
        for block in blocks {
            use projection::condition::Fidelity;
            match block.fidelity() {
                Fidelity::Exact => translations.exact += 1,
                Fidelity::Necessary => translations.necessary += 1,
                Fidelity::Untranslated => translations.untranslated += 1,
            }
        }
    }
    let schema = paths::display(&subject.schema_path());
    ModuleReport { path: subject.shown.clone(), schema, status, translations, diff: None }
}

/// Keeps one finding of a validation that fails for every value: the one at the rule. A finding at a value is only
/// a consequence of it.
fn report_once_what_always_fails(diagnostics: &mut Diagnostics) {
    let is_failed = |it: &Diagnostic| it.rule == diagnostics::lints::FAILED_VALIDATION;
    let is_of_value = |it: &Diagnostic| it.labels.iter().any(|label| label.role == Role::Value);
    let key = |it: &Diagnostic| (it.address.clone(), it.variable.clone(), it.validation);
    let at_rules = diagnostics.iter().filter(|it| is_failed(it) && !is_of_value(it));
    let always: HashSet<_> = at_rules.map(key).collect();
    diagnostics.retain(|it| !is_failed(it) || !is_of_value(it) || !always.contains(&key(it)));
}

/// The outcome with everything that was found; takes the findings out of the subject.
pub(super) fn finish(subject: &mut CheckedModule<'_>, mut module: Option<ModuleReport>) -> Outcome {
    let mut judged = std::mem::take(&mut subject.judged);
    let absent = std::mem::take(&mut subject.absent);
    // Of a file with encrypted values not all are judged.
    judged.retain(|file| !absent.iter().any(|it| it.file == *file));
    let failure = subject.failure.take();
    let left_out = std::mem::take(&mut subject.left_out);
    let documented = subject.documented.take();
    let declared = std::mem::take(&mut subject.declared);
    let declared = declared
        .into_iter()
        .map(|(file, name)| DeclaredValue { file, name, module: subject.shown.clone() })
        .collect();
    let mut diagnostics = std::mem::take(&mut subject.diagnostics);
    subject.units.leave_open(&subject.system, subject.dir, &mut diagnostics);
    let CheckedModule { system, dir, settings, .. } = &*subject;
    leave_sources_open(system, dir, settings.release, &mut diagnostics);
    verdict::leave_to_older(subject.release, &mut diagnostics);
    report_once_what_always_fails(&mut diagnostics);
    let values_files = ValuesFiles { judged, ..ValuesFiles::default() };
    let blocked = std::mem::take(&mut subject.blocked);
    let CheckedModule { shown, module: loaded, meter, release, .. } = &*subject;
    let blocked = blocked.into_iter().map(|((by, is_own), it)| {
        let problem = Location::new(Role::Declaration, by, "", &loaded.sources);
        let (parts, files) = (it.parts.into_iter().collect(), it.files.into_iter().collect());
        let what =
            NotJudgedKind::Blocked(BlockedParts::new(parts, it.is_more, files, problem, is_own));
        NotJudged { module: shown.clone(), what }
    });
    let blocked: Vec<NotJudged> = blocked.collect();
    let (diagnostics, is_whole) = verdict::report_budgets(diagnostics, meter);
    // A module that was not judged completely is not clean.
    if let Some(it) = module.as_mut().filter(|it| it.status != Status::Written)
        && meter.is_exhausted()
    {
        it.status = Status::Skipped;
    }
    let is_whole = is_whole && module.as_ref().is_some_and(|it| it.status != Status::Skipped);
    let has_module = module.is_some();
    let (diagnostics, suppressions) =
        suppress::apply(diagnostics, &loaded.sources, is_whole, has_module);
    let diagnostics = if subject.request.keeps_all {
        diagnostics
    } else {
        at_most_of_a_kind(diagnostics, &loaded.sources)
    };
    let (open, reported): (Diagnostics, Diagnostics) =
        diagnostics.into_iter().partition(|it| it.rule == diagnostics::lints::UNDECIDED_VALIDATION);
    let finding = |it: &Diagnostic| Finding::new(it, shown, &loaded.sources);
    let findings = reported.iter().map(finding).collect();
    let omissions = loaded.not_judged();
    let left = omissions.iter().map(|it| NotJudged::new(it, shown, &loaded.sources));
    let open = open.iter().map(|it| NotJudged::from_finding(finding(it)));
    let files = absent.into_iter().map(|Absent { file, reason }| NotJudged {
        module: shown.clone(),
        what: NotJudgedKind::ValuesFile { file, reason },
    });
    let not_judged = open.chain(left).chain(files).chain(blocked).collect();
    let work = meter.spent();
    let release = has_module.then_some(*release);
    let outcome = Outcome {
        findings,
        not_judged,
        module,
        loose: Vec::new(),
        is_without_variables: false,
        values_files,
        release,
        suppressions,
        failure,
        left_out,
        documented,
        declared,
        work,
        covered: BTreeMap::new(),
    };
    outcome.with(std::mem::take(&mut subject.of_policies))
}
