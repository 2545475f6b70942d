//! A contract: a module's variables with their rules, its outputs, and the versions that it admits.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use diagnostics::{Diagnostic, Diagnostics, Role, Sources, Span, lints};
use module::{LoadOptions, Module, RequiredVersion, Variable};
use projection::schema::words_of;
use release::{Constraints, Product, Release};
use system::System;
use tf_eval::Meter;
use tf_value::Value;
use verdict::{
    ArgumentsVerdict, Distrust, JudgeSetting, Loaded, judge_arguments, judge_arguments_of,
    tree::{Library, Locator, ModuleTree, Reach, Reading},
};

use super::{described::Described, names::names};

/// A module at one state.
pub struct ModuleContract<'a> {
    /// The module without its `required_version`, since it is judged as one release.
    pub module: Module,
    pub required: Vec<RequiredVersion>,
    /// What it requires, and all modules that it calls.
    demands: Vec<RequiredVersion>,
    /// The called modules that are here.
    pub tree: ModuleTree,
    /// Errors that keep it from being judged.
    pub problems: Diagnostics,
    /// The schema that it was read from, if it was.
    pub described: Option<&'a Described>,
    system: &'a dyn System,
    meter: Meter,
    dir: PathBuf,
}

impl<'a> ModuleContract<'a> {
    /// Reads a module as a release does. Errors: the directory cannot be read.
    pub fn load(
        system: &'a dyn System,
        dir: &Path,
        release: Release,
        meter: &Meter,
    ) -> io::Result<ModuleContract<'a>> {
        let options = LoadOptions { release, ..LoadOptions::default() };
        let (mut module, diagnostics) = module::load_metered(system, dir, &options, meter)?;
        let is_problem = |it: &Diagnostic| it.is_error() && it.rule != lints::UNSUPPORTED_VERSION;
        let problems = diagnostics.into_iter().filter(is_problem);
        let problems = problems.chain(cycle(&module)).collect();
        let mut demands = module.required_versions.clone();
        let mut tree = ModuleTree::default();
        if !module.calls.is_empty() {
            let (library, locator) = (&Library::default(), &Locator::default());
            let reach = Reach { system, library, locator, keeps_blocks: false, meter };
            demands = reach.demands(&module, release);
            let options = &options;
            let (given, enters_broken) = (None, false);
            let reading =
                Reading { system, options, library, locator, given, enters_broken, meter };
            tree = ModuleTree::read(&mut module, reading, &Distrust::default()).0;
        }
        let required = std::mem::take(&mut module.required_versions);
        let (meter, dir) = (meter.clone(), dir.to_owned());
        Ok(ModuleContract {
            module,
            required,
            demands,
            tree,
            problems,
            described: None,
            system,
            meter,
            dir,
        })
    }

    /// The contract as a schema describes it. Errors: the schema describes no module.
    pub fn describe(mut self, described: &'a Described) -> io::Result<ModuleContract<'a>> {
        if let Some(it) = self.problems.first() {
            return Err(described.problem(it));
        }
        for name in &described.hidden_defaults {
            if let Some(variable) = self.module.variables.get_mut(name) {
                variable.default = Some(Value::unknown(variable.constraint.ty.clone()));
            }
        }
        self.described = Some(described);
        Ok(self)
    }

    /// What the schema does not say about a variable, if it lacks anything.
    pub fn lack(&self, name: &str) -> Option<&str> {
        self.described?.lacks.get(name).map(String::as_str)
    }

    pub fn release(&self) -> Release {
        self.module.release
    }

    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    pub fn setting(&self) -> JudgeSetting<'_> {
        JudgeSetting {
            system: self.system,
            base_dir: &self.dir,
            release: self.module.release,
            workspace: None,
            awaits: true,
            onward: None,
            meter: &self.meter,
            words: Some(words_of),
        }
    }

    /// Judges arguments by the variables and their rules.
    pub fn judge(&self, arguments: &BTreeMap<SmolStr, Value>) -> ArgumentsVerdict {
        judge_arguments(&self.module, arguments, self.setting())
    }

    /// Judges arguments by these variables alone, whose rules read no other one.
    pub(super) fn judge_of(
        &self,
        only: Option<&BTreeSet<SmolStr>>,
        arguments: &BTreeMap<SmolStr, Value>,
    ) -> ArgumentsVerdict {
        judge_arguments_of(&self.module, only, arguments, self.setting())
    }

    pub fn accepts(&self, arguments: &BTreeMap<SmolStr, Value>) -> bool {
        matches!(self.judge(arguments), ArgumentsVerdict::Accepts(_))
    }

    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.module.variables.get(name)
    }

    /// The files, without the values that are hidden at either state.
    pub fn sources(&self, other: &ModuleContract<'_>) -> Sources {
        if let Some(described) = self.described {
            let is_hidden =
                |it: &ModuleContract<'_>, name| it.variable(name).is_some_and(Variable::is_hidden);
            let names = self.module.variables.keys();
            return described
                .sources(names.filter(|it| is_hidden(self, it) || is_hidden(other, it)));
        }
        let mut module = self.module.clone();
        for (name, variable) in &mut module.variables {
            if other.variable(name).is_some_and(Variable::is_hidden) {
                variable.sensitive = Some(true);
            }
        }
        std::mem::take(Loaded::new(module).sources_mut())
    }

    /// The constraints of its own `required_version` that can be read.
    pub(super) fn own_constraints(&self) -> Vec<Constraints> {
        parsed(&self.required)
    }

    /// The constraints of the modules that it calls, at any depth, if the release runs them.
    pub(super) fn required_by_calls(&self) -> impl Iterator<Item = RequiredByCall<'_>> {
        self.tree.called.iter().flat_map(|called| {
            let required = called.module.module.required_versions.iter();
            required.filter_map(|it| {
                Some(RequiredByCall {
                    address: &called.address,
                    text: &it.text,
                    constraints: Constraints::parse(&it.text)?,
                    span: it.span.shifted(called.shift),
                })
            })
        })
    }

    /// The constraints of the module and of all that it calls: Terraform refuses what one of them does not admit.
    pub fn constraints(&self) -> Vec<Constraints> {
        parsed(&self.demands)
    }
}

/// The error that rules of variables read each other's variables in a circle: Terraform refuses every call.
fn cycle(module: &Module) -> Option<Diagnostic> {
    let ruled = module.variables.values().filter(|it| !it.validations.is_empty());
    let mut left: BTreeMap<SmolStr, Vec<SmolStr>> =
        ruled.map(|it| (it.name.clone(), read_by(it, module))).collect();
    // What reads nothing that is left is in no circle.
    loop {
        let is_done = |all: &[SmolStr]| !all.iter().any(|it| left.contains_key(it));
        let done = left.iter().filter(|it| is_done(it.1)).map(|it| it.0.clone());
        let done: Vec<SmolStr> = done.collect();
        if done.is_empty() {
            break;
        }
        left.retain(|name, _| !done.contains(name));
    }
    let mut path: Vec<&SmolStr> = vec![left.keys().next()?];
    while let Some(next) = left[*path.last()?].iter().find(|it| left.contains_key(*it)) {
        if let Some(at) = path.iter().position(|it| *it == next) {
            path.drain(..at);
            break;
        }
        path.push(next);
    }
    let names: Vec<String> = path.iter().map(|it| format!("var.{it} (validation)")).collect();
    let rule = module.variables.get(*path.first()?)?.validations.first()?;
    let cycle = Diagnostic::new(&lints::FAILED_EVALUATION, "Cycle").detail(names.join(" -> "));
    Some(cycle.at(Role::Rule, rule.condition.span))
}

/// The other variables that the rules of a variable read.
fn read_by(variable: &Variable, module: &Module) -> Vec<SmolStr> {
    let rules = variable.validations.iter();
    let read = rules.flat_map(|it| std::iter::once(&it.condition).chain(&it.error_message));
    let read = read.flat_map(|it| names(it, module).variables);
    read.filter(|it| *it != variable.name).collect()
}

fn parsed(all: &[RequiredVersion]) -> Vec<Constraints> {
    all.iter().filter_map(|it| Constraints::parse(&it.text)).collect()
}

/// A `required_version` of a called module.
pub(super) struct RequiredByCall<'c> {
    /// The call's address, `module.NAME`.
    pub address: &'c str,
    pub text: &'c str,
    pub constraints: Constraints,
    pub span: Span,
}

/// The newest release that both admit, if there is one.
pub fn common_release(
    product: Product,
    base: &[Constraints],
    head: &[Constraints],
) -> Option<Release> {
    let all: Vec<&Constraints> = base.iter().chain(head).collect();
    let known = product.releases().rev().filter(|it| !it.is_candidate());
    let known = known.into_iter().find(|it| all.iter().all(|all| all.allow(it.version())));
    let named = || {
        let points = all.iter().flat_map(|it| it.points());
        points.filter(|it| all.iter().all(|all| all.allow(*it))).max()
    };
    known.or_else(|| Some(Release::of(product, named()?)))
}

/// A version that meets `some` and not all of `others`; a known release, if one does.
pub fn admitted_by_one(
    product: Option<Product>,
    some: &[Constraints],
    others: &[Constraints],
) -> Option<String> {
    let meets = |all: &[Constraints], version| all.iter().all(|it| it.allow(version));
    let known = product.into_iter().flat_map(Product::releases);
    let known = known.filter(|it| !it.is_candidate()).map(Release::version).rev();
    let points = || some.iter().chain(others).flat_map(Constraints::points);
    let known: Vec<_> = known.collect();
    let is_one = |it: &release::Version| meets(some, *it) && !meets(others, *it);
    let found = known.into_iter().find(is_one).or_else(|| points().filter(is_one).max());
    found.map(|it| it.to_string())
}
