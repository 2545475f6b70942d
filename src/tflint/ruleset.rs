//! The ruleset: its rules, and what tflint's configuration says of them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{LazyLock, Mutex, PoisonError},
};

use super::{
    options,
    runner::optional_attributes,
    wire::{BodyContent, ConfigSchema, GlobalConfig, Texts},
};
use crate::diagnostic::{self, Finding, RuleId, rules};

/// The ruleset's name: the label of its `plugin` block.
pub(super) const NAME: &str = "terraschema";
/// Versions of tflint that speak our protocol.
pub(super) const TFLINT_VERSIONS: &str = ">= 0.46";
/// Says which messages we know.
pub(super) const SDK_VERSION: &str = "0.25.0";

/// A rule of tflint: all of the library's rules whose declarations name it.
#[derive(Debug)]
pub(super) struct Rule {
    pub name: &'static str,
    /// Arguments of its `rule` block.
    pub options: &'static [&'static str],
}

/// Tell also of validation rules that are in the schema in part.
pub(super) const WEAKENED: &str = "weakened";
/// Tell of required variables that no values file gives a value.
pub(super) const MISSING_VARIABLES: &str = "missing_variables";

/// The rule of everything that is about a called module, beside the library's rules of its own.
const MODULE_CALL: &str = "terraschema_module_call";

/// Every rule, all of them on unless somebody turns them off.
pub(super) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let names: BTreeSet<&str> = rules::RULES.iter().filter_map(|it| it.tflint).collect();
    let options: [(&diagnostic::Rule, &[&str]); 2] = [
        (&rules::WEAKENED_VALIDATION, &[WEAKENED]),
        (&rules::MISSING_VARIABLE, &[MISSING_VARIABLES]),
    ];
    let options =
        |name| options.iter().find(|it| it.0.tflint == Some(name)).map_or(&[][..], |it| it.1);
    names.into_iter().map(|name| Rule { name, options: options(name) }).collect()
});

impl Rule {
    /// The rule under which a finding is told; `None` for what tflint itself or `check` tells.
    pub fn of(finding: &Finding) -> Option<&'static Rule> {
        let is_of_call = !finding.address.is_empty() && finding.rule != rules::UNKNOWN_ATTRIBUTE;
        let own = finding.rule.declared().and_then(|it| it.tflint);
        let name = if is_of_call { Some(MODULE_CALL) } else { own };
        RULES.iter().find(|it| Some(it.name) == name)
    }
}

/// Values files in the `plugin` block.
const VAR_FILES: &str = "var_files";
/// Whether notes become notices, said in the `plugin` block. tflint fails on any issue, so nobody gets
/// them unasked.
const NOTES: &str = "notes";

/// What tflint told us before a check.
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
    /// Selects the rules that run. tflint leaves this to us: `only` decides alone, then what is
    /// said of a rule, then what is said of all.
    pub fn apply_global(&self, config: &GlobalConfig) {
        let is_enabled = |it: &&Rule| {
            if !config.only.is_empty() {
                return config.only.iter().any(|name| name == it.name);
            }
            config.rules.get(it.name).map_or(!config.disabled_by_default, |it| it.enabled)
        };
        self.lock().enabled = RULES.iter().filter(is_enabled).collect();
    }

    /// Reads the `plugin` block. Errors: what is wrong in it and where.
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

/// What `rule` blocks say.
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

    /// Whether a finding of this rule of the library counts.
    pub fn admit(&self, finding: &RuleId) -> bool {
        (self.weakened || *finding != rules::WEAKENED_VALIDATION)
            && (self.missing_variables || *finding != rules::MISSING_VARIABLE)
    }
}

pub(super) fn rule_names() -> Texts {
    Texts { values: RULES.iter().map(|it| it.name.to_owned()).collect() }
}

pub(super) fn config_schema() -> ConfigSchema {
    ConfigSchema { schema: Some(optional_attributes(&[VAR_FILES, NOTES])) }
}
