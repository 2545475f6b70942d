//! The rules that need more than a verdict, one in each file.

mod conditionally_required;
mod default_fails_validation;
pub(super) mod deprecated;
pub(super) mod foreign_schema;
pub(super) mod missing_schema;
pub(super) mod missing_variable;
mod null_crashes_validation;
mod optional_attribute;
pub(super) mod orphan_schema;
pub(super) mod removal;
mod required_version_too_low;
pub(super) mod schema_violation;
pub(super) mod stale_schema;
pub(super) mod undeclared_value;
pub(super) mod unknown_attribute;
mod written_type;

use super::subject::CheckedModule;
use diagnostics::Diagnostics;
use module::{Module, Variable};
use optional_attribute::{OptionalAttribute, Reach};
use release::Product;
use system::PartialSystem;
use verdict::JudgeSetting;

/// The context of rules about a module.
pub(super) struct ModuleContext<'a> {
    pub module: &'a Module,
    pub setting: JudgeSetting<'a>,
    /// In the order of the variables and their `validation` blocks.
    validations: Vec<Tried<'a>>,
}

/// A variable's rule, ready to be tried with values that nobody gave.
struct Tried<'a> {
    variable: &'a Variable,
    index: usize,
    /// The optional attributes that the rule may depend on, outer ones first.
    attributes: Vec<OptionalAttribute>,
}

impl<'a> Tried<'a> {
    fn all(variable: &'a Variable) -> Vec<Tried<'a>> {
        let rules = variable.validations.iter().enumerate();
        if rules.len() == 0 {
            return Vec::new();
        }
        let attributes = OptionalAttribute::all(&variable.constraint);
        let tried = |(index, rule)| {
            let reach = Reach::of(variable, rule);
            let attributes = attributes.iter().filter(|it| reach.includes(it)).cloned().collect();
            Tried { variable, index, attributes }
        };
        rules.map(tried).collect()
    }
}

/// All findings about a module without any input.
pub(super) fn of_module(subject: &CheckedModule<'_>) -> Diagnostics {
    let setting = subject.setting();
    // A relative path leads elsewhere where another module calls this one.
    let system = PartialSystem::new(setting.system);
    let context = ModuleContext {
        module: &subject.module,
        setting: JudgeSetting { system: &system, ..setting },
        validations: subject.module.variables.values().flat_map(Tried::all).collect(),
    };
    let rules = [
        default_fails_validation::check,
        null_crashes_validation::check,
        required_version_too_low::check,
    ];
    rules.iter().flat_map(|rule| rule(&context)).collect()
}

impl ModuleContext<'_> {
    /// The product that runs the module.
    pub fn product(&self) -> Product {
        self.setting.release.product()
    }

    /// The text about a version that the constraint admits: `required_version = ">= 1.3" lets 1.3 in`.
    pub fn admission(&self) -> String {
        let oldest = self.module.oldest_admitted();
        match self.module.required_versions.first() {
            Some(it) => {
                let text = &it.text;
                format!("required_version = \"{text}\" allows {}.{}", oldest.major, oldest.minor)
            }
            None => "no required_version excludes such releases".to_owned(),
        }
    }
}

/// Names in quotes, up to `most`, and the number of those left out.
fn named(names: &[impl AsRef<str>], most: usize, between: &str) -> String {
    let quoted = |it: &_| format!("\"{}\"", AsRef::<str>::as_ref(it));
    let shown: Vec<String> = names.iter().take(most).map(quoted).collect();
    let shown = shown.join(between);
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
