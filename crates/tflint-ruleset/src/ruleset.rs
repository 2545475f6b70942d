//! The ruleset: its rules, and its configuration by tflint.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use super::{
    names, options,
    runner::optional_attributes,
    wire::{BodyContent, ConfigSchema, GlobalConfig, Texts},
};
use diagnostics::{Finding, LintId, lints};

/// The ruleset's name: the label of its `plugin` block.
pub(super) const NAME: &str = "terraschema";
/// Versions of tflint that speak our protocol.
pub(super) const TFLINT_VERSIONS: &str = ">= 0.46";
/// The version of the messages that we know.
pub(super) const SDK_VERSION: &str = "0.25.0";

/// A rule of tflint: all lints that `names` gives it.
#[derive(Debug)]
pub(super) struct Rule {
    pub name: &'static str,
    /// Arguments of its `rule` block.
    pub options: &'static [&'static str],
}

/// Also report validation rules that are in the schema in part.
pub(super) const WEAKENED: &str = "weakened";
/// Report required variables that no values file gives a value.
pub(super) const MISSING_VARIABLES: &str = "missing_variables";

/// The rule for all findings about a called module that the library's own rules do not cover.
const MODULE_CALL: &str = "terraschema_module_call";

/// Every rule; all are enabled by default.
pub(super) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let options: [(&diagnostics::Lint, &[&str]); 2] = [
        (&lints::WEAKENED_VALIDATION, &[WEAKENED]),
        (&lints::MISSING_VARIABLE, &[MISSING_VARIABLES]),
    ];
    let options =
        |name| options.iter().find(|it| names::of(it.0) == Some(name)).map_or(&[][..], |it| it.1);
    names::REPORTED.iter().map(|(name, _)| Rule { name, options: options(name) }).collect()
});

impl Rule {
    /// The rule that reports a finding; `None` if tflint itself or `check` reports it.
    pub fn of(finding: &Finding) -> Option<&'static Rule> {
        let is_of_call = !finding.address.is_empty() && finding.rule != lints::UNKNOWN_ATTRIBUTE;
        let own = finding.rule.declared().and_then(names::of);
        let name = if is_of_call { Some(MODULE_CALL) } else { own };
        RULES.iter().find(|it| Some(it.name) == name)
    }
}

/// Values files in the `plugin` block.
const VAR_FILES: &str = "var_files";
/// Whether the `plugin` block turns notes into notices. tflint fails on any issue, so this is off by
/// default.
const NOTES: &str = "notes";

/// The settings that tflint sent before a check.
#[derive(Clone, Debug, Default)]
pub(super) struct Config {
    pub enabled: Vec<&'static Rule>,
    /// Relative to the module's directory.
    pub var_files: Vec<String>,
    pub notes: bool,
}

/// The state between calls. A language server applies its configuration again and again.
#[derive(Debug, Default)]
pub(super) struct Ruleset(Mutex<Config>);

impl Ruleset {
    /// Selects the enabled rules. tflint leaves this to us: `only` decides alone, then the setting of a
    /// rule, then that of all.
    pub fn apply_global(&self, config: &GlobalConfig) {
        let is_enabled = |rule: &&Rule| {
            if !config.only.is_empty() {
                return config.only.iter().any(|name| name == rule.name);
            }
            config.rules.get(rule.name).map_or(!config.disabled_by_default, |it| it.enabled)
        };
        self.lock().enabled = RULES.iter().filter(is_enabled).collect();
    }

    /// Reads the `plugin` block. Errors: a mistake with its place.
    pub fn apply(&self, content: &BodyContent) -> Result<(), String> {
        let files = content.attributes.get(VAR_FILES).map(options::texts).transpose()?;
        let notes = content.attributes.get(NOTES).map(options::truth).transpose()?;
        let mut config = self.lock();
        (config.var_files, config.notes) = (files.unwrap_or_default(), notes.unwrap_or_default());
        Ok(())
    }

    pub fn config(&self) -> Config {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Config> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The options in `rule` blocks.
#[derive(Clone, Debug)]
pub(super) struct RuleOptions {
    pub weakened: bool,
    pub missing_variables: bool,
}

impl RuleOptions {
    /// Reads the content of `rule` blocks by the names of their rules.
    pub fn read(blocks: &HashMap<&str, BodyContent>) -> Result<RuleOptions, String> {
        let option = |name: &str, otherwise: bool| {
            let found = blocks.values().find_map(|it| it.attributes.get(name));
            found.map_or(Ok(otherwise), options::truth)
        };
        Ok(RuleOptions {
            weakened: option(WEAKENED, false)?,
            missing_variables: option(MISSING_VARIABLES, true)?,
        })
    }

    /// Whether a finding with this rule of the library is reported.
    pub fn admit(&self, finding: &LintId) -> bool {
        (self.weakened || *finding != lints::WEAKENED_VALIDATION)
            && (self.missing_variables || *finding != lints::MISSING_VARIABLE)
    }
}

pub(super) fn rule_names() -> Texts {
    Texts { values: RULES.iter().map(|it| it.name.to_owned()).collect() }
}

pub(super) fn config_schema() -> ConfigSchema {
    ConfigSchema { schema: Some(optional_attributes(&[VAR_FILES, NOTES])) }
}
