//! The `policy` block: an organisation's rules that `check` holds every module to, and the blocks that
//! may lower or ignore them.
//!
//! Policies add up. The file that names a rule demands it; only that file may lower or ignore it, and a
//! nearer one may only raise it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use smol_str::SmolStr;

use super::{
    Config, Configurations, ContractBlocks, Date, Ignore, LevelSetting, NamePatterns, OpenTofu,
    Settings,
    fields::Fields,
    find::{Chain, Layer},
    levels::covers,
    read::forbidden,
    unused::Use,
};
use diagnostics::{
    Decision, Diagnostic, Finding, Level, LintId, Role, SourceFile, Sources, Span, did_you_mean,
    lints,
};
use hcl::Block;
use module::AddressPattern;
use system::paths;
use tf_value::Value;

/// The content of a `policy` block.
#[derive(Clone, Debug, Default)]
pub struct PolicySettings {
    /// Files and directories, relative to the configuration file's directory.
    pub rules: Vec<String>,
    pub rules_span: Span,
    /// The values of the rules' contexts, each with the place of its name.
    pub context: Vec<(SmolStr, Value, Span)>,
}

/// A `policy` block with its file.
#[derive(Clone, Debug)]
pub struct NamedPolicy {
    /// The directory that its paths start from; absolute.
    pub dir: PathBuf,
    pub settings: PolicySettings,
    /// The configuration file, as shown.
    pub file: SourceFile,
}

impl NamedPolicy {
    /// The rule files and directories, absolute.
    pub fn rules(&self) -> impl Iterator<Item = PathBuf> {
        self.settings.rules.iter().map(|it| paths::clean(&self.dir.join(it)))
    }

    /// The finding that its rules cannot be used. `problem` makes the diagnostic from the usual one, which has the place
    /// of the block's `rules`; the sources are the configuration file alone, to which it may add another one.
    pub fn refused(
        &self,
        why: &str,
        problem: impl FnOnce(Diagnostic, &mut Sources) -> Diagnostic,
    ) -> Finding {
        let mut sources = Sources::new();
        sources.add(self.file.path.clone(), self.file.bytes.clone());
        let summary = "Unsuitable value for \"rules\"";
        let usual = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary)
            .detail(format!("{why}."))
            .at(Role::Declaration, self.settings.rules_span);
        let problem = problem(usual, &mut sources);
        Finding::new(&problem, "", &sources)
    }
}

pub(super) fn read(block: &Block, outer: &mut Fields<'_>) -> PolicySettings {
    outer.no_label(block);
    let mut fields = outer.of_block(block);
    let rules = fields.strings("rules").unwrap_or_default();
    if !fields.is_written("rules") {
        fields.missing("rules", block);
    }
    let is_empty = |it: &String| it.is_empty().then_some("a path is expected");
    if let Some(reason) = rules.iter().find_map(|it| is_empty(it).or_else(|| forbidden(it))) {
        fields.refuse("rules", reason);
    }
    let rules_span = fields.span("rules");
    let context = fields.members("context");
    outer.take(fields);
    PolicySettings { rules, rules_span, context }
}

impl Layer {
    pub(super) fn policy(&self) -> Option<NamedPolicy> {
        let (settings, dir) = (self.config.policy.clone()?, self.dir.clone());
        let (_, file) = self.sources.files().next()?;
        Some(NamedPolicy { dir, settings, file: file.clone() })
    }
}

impl Chain {
    /// Splits the files: those up to the one that demands a rule, and nearer ones.
    fn split(&self, demanding: &Path) -> (&[Arc<Layer>], &[Arc<Layer>]) {
        let end = self.layers.iter().position(|it| it.dir == demanding);
        self.layers.split_at(end.map_or(self.layers.len(), |it| it + 1))
    }

    /// The part of the chain up to the file in this directory (absolute).
    pub(super) fn up_to(&self, dir: &Path) -> Chain {
        Chain { layers: self.split(dir).0.to_vec() }
    }
}

impl Configurations<'_> {
    /// The policies that govern a directory (relative to the current one or absolute), the farthest
    /// first. They apply even if a nearer file excludes the directory from being checked.
    pub fn policies(&self, dir: &Path) -> Vec<NamedPolicy> {
        let dir = self.absolute(dir);
        let chain = self.chain(&dir);
        let all = chain.layers.iter().filter_map(|it| it.policy());
        all.filter(|it| chain.up_to(&it.dir).includes(&dir)).collect()
    }

    /// Whether a policy governs a directory.
    pub fn has_policy(&self, dir: &Path) -> bool {
        let dir = self.absolute(dir);
        self.chain(&dir).layers.iter().any(|it| it.config.policy.is_some())
            && !self.policies(&dir).is_empty()
    }

    /// The settings of a directory for rules that the file in `demanding` (absolute) names: those of this file
    /// and of files further out. Of nearer ones only the contracts count, after the others.
    pub fn settings_for(&self, dir: &Path, demanding: &Path) -> Settings {
        let dir = self.absolute(dir);
        let chain = self.chain(&dir);
        let outer = chain.up_to(demanding);
        let by_default = self.is_of_tofu.get().map(|()| OpenTofu::Newest);
        let mut settings = Settings::resolve(&dir, &outer, by_default, &self.flags);
        settings.contracts = ContractBlocks::default();
        for layer in chain.split(demanding).1.iter().chain(&outer.layers) {
            settings.contracts.put_first(&layer.contracts);
        }
        settings
    }

    /// Whether a file nearer to a directory than the one in `demanding` (absolute) governs it.
    pub fn has_nearer(&self, dir: &Path, demanding: &Path) -> bool {
        !self.chain(&self.absolute(dir)).split(demanding).1.is_empty()
    }

    /// Whether neither the file in `demanding` (absolute) nor one further out names a file of values in its
    /// inputs.
    pub fn is_unnamed_for(&self, file: &Path, demanding: &Path) -> bool {
        let file = self.absolute(file);
        let chain = self.chain(file.parent().unwrap_or(&file)).up_to(demanding);
        !chain.layers.iter().flat_map(|it| &it.inputs).any(|it| it.named.names(&file))
    }

    /// Whether a file of values is named by inputs of files that are nearer than a policy, and of no others.
    pub fn is_taken_from_policy(&self, file: &Path) -> bool {
        let absolute = self.absolute(file);
        let chain = self.chain(absolute.parent().unwrap_or(&absolute));
        let mut demanding = chain.layers.iter().filter(|it| it.config.policy.is_some());
        demanding.any(|it| self.is_unnamed_for(&absolute, &it.dir))
    }

    /// The policy that the configuration in a directory (absolute) itself names.
    pub fn own_policy(&self, dir: &Path) -> Option<NamedPolicy> {
        self.chain(dir).layers.iter().filter(|it| it.dir == dir).find_map(|it| it.policy())
    }

    /// Every policy of the files read so far, by directory.
    pub fn named_policies(&self) -> Vec<NamedPolicy> {
        self.layers().values().filter_map(|it| it.policy()).collect()
    }

    /// A finding of a policy's rule at its configured level; `None` if the rule is off there or the
    /// finding is ignored. `demanding` is the directory (absolute) of the file that names the policy,
    /// which alone may lower and ignore.
    pub fn adjust_policy(&self, finding: Finding, demanding: &Path) -> Option<Finding> {
        let module = self.absolute(Path::new(&finding.module));
        let chain = self.chain(&module);
        let (outer, nearer) = chain.split(demanding);
        let places = self.places(&finding, &module);
        let mut allowed = Some(finding.level);
        if let Some(layer) = outer.last() {
            allowed = self.lowered(&finding, layer, &places)?;
        }
        if is_failure(&finding) {
            let raised = nearer.iter().filter_map(|it| level(it, &finding, &places));
            allowed = raised.fold(allowed, Option::max);
        }
        Some(Finding { level: allowed?, ..finding })
    }

    /// Like [`Configurations::adjust_policy`], for a rule that the command line names: the files that
    /// govern the rule's own file (relative to the current directory or absolute) may lower and ignore
    /// it.
    pub fn adjust_named_rule(&self, mut finding: Finding, rules: &Path) -> Option<Finding> {
        let file = self.absolute(rules);
        let dir = file.parent().unwrap_or(&file).to_owned();
        let places = self.places(&finding, &dir);
        for layer in &self.chain(&dir).layers {
            finding.level = self.lowered(&finding, layer, &places)??;
        }
        Some(finding)
    }

    /// The level that a file which may lower it gives to a finding: `Some(None)` turns its rule off,
    /// `None` ignores the finding.
    #[expect(clippy::option_option, reason = "ignored, off, a level")]
    fn lowered(
        &self,
        finding: &Finding,
        layer: &Layer,
        places: &[PathBuf],
    ) -> Option<Option<Level>> {
        let mut ignores = layer.config.ignores.iter();
        let today = self.today();
        if let Some(ignore) = ignores.find(|it| it.silences(finding, layer, places, today)) {
            self.note(Use::Ignore(layer.dir.clone(), ignore.span.start));
            return None;
        }
        Some(match level(layer, finding, places) {
            None => Some(finding.level),
            Some(level) if is_failure(finding) => level,
            // An undecided finding is never graver than a failure.
            Some(level) => level.map(|it| it.min(finding.level)),
        })
    }

    fn places(&self, finding: &Finding, module: &Path) -> [PathBuf; 2] {
        let place = finding.locations.first().map_or(&finding.module, |it| &it.file);
        [self.absolute(Path::new(place)), module.to_owned()]
    }

    /// Errors in the `rule` and `ignore` blocks about policies; `ids` gives the rules in the policy of a
    /// directory (absolute).
    pub fn unknown_policy_rules(&self, ids: &dyn Fn(&Path) -> Vec<SmolStr>) -> Vec<Finding> {
        let mut found = Vec::new();
        for layer in self.layers().values() {
            let chain = self.chain(&layer.dir);
            let demanded = chain.layers.iter().filter_map(|it| it.policy());
            let known: Vec<SmolStr> = demanded.flat_map(|it| ids(&it.dir)).collect();
            if known.is_empty() {
                continue;
            }
            for (rule, span) in named_rules(&layer.config) {
                let Some(id) = rule.policy() else { continue };
                if known.iter().all(|it| it != id) {
                    let hint = did_you_mean(id, known.iter().map(SmolStr::as_str));
                    let summary = format!("No policy here has a rule {id:?}.{hint}");
                    let problem = Diagnostic::new(&lints::INVALID_CONFIGURATION, summary);
                    let problem = problem.at(Role::Declaration, span);
                    found.push(Finding::new(&problem, "", &layer.sources));
                }
            }
        }
        found
    }

    /// Findings about `ignore` blocks whose day has passed, in the files read so far.
    pub fn expired(&self) -> Vec<Finding> {
        let (today, mut found) = (self.today(), Vec::new());
        for layer in self.layers().values() {
            for it in layer.config.ignores.iter().filter(|it| it.is_over(today)) {
                let Some((until, span)) = it.until else { continue };
                let summary = format!("An ignore block of {} expired on {until}", it.rule);
                let problem = Diagnostic::new(&lints::EXPIRED_SUPPRESSION, summary)
                    .detail(format!("Its reason was: {}", it.reason))
                    .at(Role::Declaration, span)
                    .help(
                        "fix the findings that it silenced and remove the block, or choose a \
                        later date",
                    );
                found.push(Finding::new(&problem, "", &layer.sources));
            }
        }
        found
    }

    pub(super) fn today(&self) -> Date {
        self.flags.today.unwrap_or_else(|| Date::of(self.now()))
    }
}

/// Whether a finding is a failure, and not an undecided case.
fn is_failure(finding: &Finding) -> bool {
    finding.policy.as_ref().is_none_or(|it| it.outcome == Decision::Fail)
}

/// The level in a file's last block about the finding: `Some(None)` turns it off.
#[expect(clippy::option_option, reason = "not said, off, a level")]
fn level(layer: &Layer, finding: &Finding, places: &[PathBuf]) -> Option<Option<Level>> {
    let is_about = |it: &&LevelSetting| it.is_about(finding, layer, places);
    layer.config.levels.iter().rev().find(is_about).map(|it| it.level)
}

fn named_rules(config: &Config) -> impl Iterator<Item = (&LintId, Span)> {
    let levels = config.levels.iter().map(|it| (&it.rule, it.span));
    levels.chain(config.ignores.iter().map(|it| (&it.rule, it.span)))
}

/// Whether a finding is about variables, and all of them have these names.
pub(super) fn covers_variables(names: &NamePatterns, finding: &Finding) -> bool {
    match (&finding.variable, finding.variables.as_slice()) {
        (Some(variable), _) => names.covers(variable),
        (None, []) => false,
        (None, several) => several.iter().all(|it| names.covers(it)),
    }
}

impl Ignore {
    /// Whether its last day has passed.
    pub(super) fn is_over(&self, today: Date) -> bool {
        self.until.is_some_and(|(until, _)| until < today)
    }

    /// Whether it silences a finding on this day.
    pub(super) fn silences(
        &self,
        finding: &Finding,
        layer: &Layer,
        places: &[PathBuf],
        today: Date,
    ) -> bool {
        let covers_address = |it: &AddressPattern| it.covers(&finding.address);
        self.rule == finding.rule
            && !self.is_over(today)
            && self.variable.as_ref().is_none_or(|it| covers_variables(it, finding))
            && self.address.as_ref().is_none_or(covers_address)
            && covers(layer, self.paths.as_ref(), places)
    }
}

/// The rule that a label names: a declared one, or one of a policy.
pub(super) fn rule_of_label(label: &str) -> Option<LintId> {
    let rule = LintId::named(label);
    let is_of_policy = rule.policy().is_some_and(LintId::is_of_policy);
    (rule.declared().is_some() || is_of_policy).then_some(rule)
}
