//! A contract: a module's variables with their rules, its outputs, and the versions that it admits.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Sources, rules},
    eval::Meter,
    module::{self, Module, Options, RequiredVersion, Variable},
    release::{Constraints, Product, Release},
    system::System,
    value::Value,
    verdict::{
        Answer, Loaded, Setting, judge_arguments,
        tree::{Library, Locator, Reading, Tree},
    },
};

use super::described::Described;

/// A module at one state.
pub struct Contract<'a> {
    /// The module without its `required_version`, since it is judged as one release.
    pub module: Module,
    pub required: Vec<RequiredVersion>,
    /// The modules that it calls, as far as they are here.
    pub tree: Tree,
    /// Errors that keep it from being judged.
    pub problems: Diagnostics,
    /// The schema that it was read from, if it was.
    pub described: Option<&'a Described>,
    system: &'a dyn System,
    meter: Meter,
    dir: PathBuf,
}

impl<'a> Contract<'a> {
    /// Reads a module as a release does. Errors: the directory cannot be read.
    pub fn load(
        system: &'a dyn System,
        dir: &Path,
        release: Release,
        meter: &Meter,
    ) -> io::Result<Contract<'a>> {
        let options = Options { release, ..Options::default() };
        let (mut module, said) = module::load_metered(system, dir, &options, meter)?;
        let is_problem = |it: &Diagnostic| it.is_error() && it.rule != rules::UNSUPPORTED_VERSION;
        let problems = said.into_iter().filter(is_problem).collect();
        let required = std::mem::take(&mut module.required_versions);
        let mut tree = Tree::default();
        if !module.calls.is_empty() {
            let (library, locator) = (Library::default(), Locator::default());
            let (library, locator) = (&library, &locator);
            let options = &options;
            let reading = Reading { system, options, library, locator, given: None, meter };
            tree = Tree::read(&mut module, reading).0;
        }
        let (meter, dir) = (meter.clone(), dir.to_owned());
        Ok(Contract { module, required, tree, problems, described: None, system, meter, dir })
    }

    /// The contract as a schema describes it. Errors: the schema describes no module.
    pub fn describe(mut self, described: &'a Described) -> io::Result<Contract<'a>> {
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

    /// What the schema does not say of a variable, if it lacks anything.
    pub fn lack(&self, name: &str) -> Option<&str> {
        self.described?.lacks.get(name).map(String::as_str)
    }

    pub fn release(&self) -> Release {
        self.module.release
    }

    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    pub fn setting(&self) -> Setting<'_> {
        Setting {
            system: self.system,
            base_dir: &self.dir,
            release: self.module.release,
            workspace: None,
            awaits: true,
            onward: None,
            meter: &self.meter,
        }
    }

    /// Judges arguments by the variables and their rules.
    pub fn judge(&self, arguments: &BTreeMap<SmolStr, Value>) -> Answer {
        judge_arguments(&self.module, arguments, self.setting())
    }

    pub fn accepts(&self, arguments: &BTreeMap<SmolStr, Value>) -> bool {
        matches!(self.judge(arguments), Answer::Accepts(_))
    }

    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.module.variables.get(name)
    }

    /// The files, without the values that are hidden at either state.
    pub fn sources(&self, other: &Contract<'_>) -> Sources {
        if let Some(described) = self.described {
            let is_hidden =
                |it: &Contract<'_>, name| it.variable(name).is_some_and(Variable::is_hidden);
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

    /// The constraints of `required_version` that can be read.
    pub fn constraints(&self) -> Vec<Constraints> {
        self.required.iter().filter_map(|it| Constraints::parse(&it.text)).collect()
    }
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
    let is_one = |it: &crate::release::Version| meets(some, *it) && !meets(others, *it);
    let found = known.into_iter().find(is_one).or_else(|| points().filter(is_one).max());
    found.map(|it| it.to_string())
}
