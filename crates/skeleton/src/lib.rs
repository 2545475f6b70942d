//! Values files and calls to start from: every required variable has a value that passes the module's rules.
//!
//! A module goes in; a text comes out, in one of six [`SkeletonForm`]s, with the variables for which no value was found.
//!
//! 1. `find` takes candidates by what the module reads (`uses`, `fit`), by names and descriptions (`hints`), then from
//!    the search for witnesses that `compat` uses, and asks the evaluator until all arguments together are accepted.
//! 2. The values are judged again as a values file of the whole module, as `validate` does it: a called module or a
//!    precondition may refuse what the variables accept. Other candidates are then tried.
//! 3. `examples` are found for optional variables. The module accepts all of them together.
//! 4. `entries` adds descriptions, rules and defaults, and `forms` lays the text out.
//!
//! Defaults of sensitive and ephemeral variables are in no text, and no candidate contains one.

mod entries;
mod examples;
mod files;
mod find;
mod fit;
mod forms;
mod from;
mod hints;
mod names;
mod outcome;
mod polish;
mod providers;
mod repair;
mod siblings;
mod suspects;
mod together;
mod unseen;
mod uses;
mod variants;
mod whole;
mod write;

use std::{cell::Cell, path::Path};

pub use find::Missing;
pub use forms::SkeletonForm;
pub use outcome::SkeletonOutcome;
pub use whole::WORK;

use check::ReadModule;
use compat::{Arguments, ModuleContract};
use entries::Entries;
use examples::Examples;
use find::Finder;
use forms::{Call, Parts};
use projection::schema::RulesInWords;
use providers::Providers;
use system::System;
use verdict::tree::ContractDirectories;
use whole::Whole;

/// What to write.
#[derive(Clone, Copy)]
pub struct SkeletonRequest<'a> {
    pub form: SkeletonForm,
    /// Whether variables and attributes with defaults are left out.
    pub only_required: bool,
    /// A values file whose values stay.
    pub from: Option<&'a Path>,
    /// Whether sensitive values of that file may be in the text. Those of the module never are.
    pub reveals: bool,
    /// Contracts that stand in for called modules which are not here.
    pub contracts: Option<&'a dyn ContractDirectories>,
    /// The name of the call, and the module's path as seen from the caller.
    pub name: &'a str,
    pub source: &'a str,
}

/// A skeleton.
#[derive(Clone, Debug)]
pub struct Skeleton {
    pub text: String,
    /// The variables for which no value was found, each with the condition that nothing passes.
    pub missing: Vec<(Missing, String)>,
    /// What Terraform says about the values that are printed.
    pub outcome: SkeletonOutcome,
    /// Names in the file that the module does not declare, and sensitive variables that are not printed.
    pub notes: Vec<String>,
    /// The units of work that the search for values took. It begins nothing new after [`WORK`].
    pub work: u64,
}

/// Writes a skeleton. `contract` is the same module, read as the same release. Errors: the file of the request cannot
/// be read, or has errors.
pub fn write(
    system: &dyn System,
    module: &ReadModule,
    contract: &ModuleContract<'_>,
    request: SkeletonRequest<'_>,
) -> Result<Skeleton, String> {
    let words = RulesInWords::of(module.module());
    let finder = Finder::new(contract, &words);
    let from = request.from.map(|it| from::read(system, it, module)).transpose()?;
    let fixed = from.as_ref().map(|it| it.values.clone()).unwrap_or_default();
    let mut found = finder.find(&fixed);
    let work = Cell::new(0);
    let whole = Whole { system, module, contracts: request.contracts, work: &work, most: WORK };
    let judged = whole.judge(&finder, &mut found, &fixed);
    let examples = match request.only_required {
        true => Examples::new(),
        false => examples::examples(module.module(), &finder, &found, &whole),
    };
    let entries = Entries::new(module, &words, &examples, request.only_required);
    let parts = Parts {
        kept: entries.kept(&fixed, request.reveals),
        required: entries.required(&found, &fixed),
        optional: entries.optional(&found),
    };
    let providers = Providers::of(module.module());
    let call = Call { name: request.name, source: request.source, providers: &providers };
    let mut notes = from.as_ref().map(|it| it.notes(request)).unwrap_or_default();
    let text = match request.form {
        SkeletonForm::Tfvars => {
            let text = from.as_ref().and_then(|it| it.text(request.reveals));
            forms::tfvars(text.as_deref(), &parts)
        }
        SkeletonForm::Json => {
            let shown = |name: &str| {
                let variable = module.module().variables.get(name);
                request.reveals
                    || !fixed.contains_key(name)
                    || variable.is_none_or(|it| !it.is_hidden())
            };
            let mut values: Arguments = found.values.clone();
            values.retain(|name, _| shown(name) && !is_missing(&found.missing, name));
            forms::json_file(&values)
        }
        SkeletonForm::Module => forms::module(&call, &parts),
        SkeletonForm::Terragrunt => forms::terragrunt(&call, &parts),
        SkeletonForm::Tftest => forms::tftest(&call, &parts),
        SkeletonForm::Example => forms::example(&call, &parts),
    };
    notes.sort();
    let missing = found.missing.iter().map(|it| (it.clone(), entries.rule(it))).collect();
    let hides = !request.reveals
        && module
            .module()
            .variables
            .values()
            .any(|it| it.is_hidden() && fixed.contains_key(&it.name));
    let (name, printed) = match request.form {
        SkeletonForm::Tfvars if !hides => (whole::NATIVE, text.clone()),
        SkeletonForm::Json if !hides => (whole::JSON, text.clone()),
        _ => (whole::NATIVE, whole::values_text(&found.values)),
    };
    let outcome =
        whole.outcome(&judged, name, &printed, finder.tree(), &found.missing, request.form);
    Ok(Skeleton { text, missing, outcome, notes, work: work.get() })
}

fn is_missing(missing: &[Missing], name: &str) -> bool {
    missing.iter().any(|it| it.variable == name)
}
