//! The policies of a run: of the rules that the command line names, or of the configurations that govern
//! the judged directory.

use std::path::{Path, PathBuf};

use super::{PolicyArgs, given, rule_files};
use check_policy::read_policy;
use config::{Config, Configurations};
use diagnostics::Finding;
use policy::Policy;
use release::Wanted;
use system::{System, paths};
use tf_eval::Meter;

/// A policy, and the directory that demands it.
pub(super) struct Demand {
    pub policy: Policy,
    /// The directory (absolute) of the configuration that names it; `None` where the command line does.
    by: Option<PathBuf>,
}

/// All policies of a run.
pub(super) struct Demands<'s> {
    pub all: Vec<Demand>,
    pub configurations: Configurations<'s>,
    /// The judged directory: the module's, or the current one.
    dir: PathBuf,
}

/// Reads the policies, and returns errors in them. What the command line names comes from the first system; rules
/// and configurations come from the second one, which has walls. Errors: a file that the command line names cannot be
/// read.
pub(super) fn read<'s>(
    args: &PolicyArgs,
    meter: &Meter,
    (system, walled): (&dyn System, &'s dyn System),
) -> anyhow::Result<Result<Demands<'s>, Vec<Finding>>> {
    let flags = Config {
        terraform_version: args.release.terraform_version,
        opentofu: args.release.opentofu,
        today: args.today,
        ..Config::default()
    };
    let configurations = Configurations::new(walled, flags, None)?;
    let dir = args.config.as_ref().or(args.source.as_ref());
    let dir = dir.cloned().unwrap_or_else(|| PathBuf::from("."));
    let mut it = Demands { all: Vec::new(), configurations, dir };
    let found = if args.rules.is_empty() {
        it.add_configured()
    } else {
        it.add_named(args, meter, (system, walled))?
    };
    // What governs the module says by which engine it is judged.
    if args.config.is_some() || args.source.is_some() {
        it.configurations.settings(&it.dir);
    }
    let mut problems = it.configurations.problems();
    problems.extend(found);
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    let rules: usize = it.all.iter().map(|it| it.policy.rules.len()).sum();
    let is_named = !args.rules.is_empty();
    anyhow::ensure!(rules > 0 || !is_named, "the named files contain no rules");
    anyhow::ensure!(
        rules > 0,
        "name files with rules on the command line, or in the policy \
        block of .terraschema.hcl"
    );
    Ok(Ok(it))
}

impl Demands<'_> {
    /// The releases by which a module is judged for a policy: the one that the policy's own file and those
    /// further out say. A nearer file may say another engine, which reads other files: both are judged.
    pub fn releases_of(&self, demand: &Demand) -> Vec<Wanted> {
        let outer = match &demand.by {
            Some(by) => self.configurations.settings_for(&self.dir, by).release,
            None => {
                let rule = demand.policy.rules.first().map(|it| it.span.file);
                let file = rule.map(|it| PathBuf::from(&demand.policy.sources.file(it).path));
                let dir = file.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                self.configurations.settings(dir).release
            }
        };
        let nearest = self.configurations.settings(&self.dir).release;
        // Where a file demands the rules, a nearer one that says another release of the same engine says nothing.
        let is_same = match &demand.by {
            Some(_) => nearest.product() == outer.product(),
            None => nearest == outer,
        };
        if is_same { vec![outer] } else { vec![outer, nearest] }
    }

    /// The releases by which the module is judged for any policy.
    pub fn releases(&self) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = Vec::new();
        for it in self.all.iter().flat_map(|it| self.releases_of(it)) {
            if !all.contains(&it) {
                all.push(it);
            }
        }
        all
    }

    /// Adds the rules that the command line names; returns errors in them.
    fn add_named(
        &mut self,
        args: &PolicyArgs,
        meter: &Meter,
        (system, walled): (&dyn System, &dyn System),
    ) -> anyhow::Result<Vec<Finding>> {
        let files = match rule_files(&args.rules, walled)? {
            Ok(it) => it,
            Err(found) => return Ok(found),
        };
        let (policy, problems) =
            policy::read(files, &given(&args.context, &args.context_file, system)?, meter);
        // Configurations that govern the rules are read before anything is judged.
        for rule in &policy.rules {
            let file = &policy.sources.file(rule.span.file).path;
            self.configurations.settings(Path::new(file).parent().unwrap_or(Path::new("")));
        }
        let found = problems.iter().map(|it| Finding::new(it, "", &policy.sources)).collect();
        self.all.push(Demand { policy, by: None });
        Ok(found)
    }

    /// Adds the policies that configurations demand of the judged directory; returns errors in them.
    fn add_configured(&mut self) -> Vec<Finding> {
        let mut problems = Vec::new();
        for named in self.configurations.policies(&self.dir) {
            match read_policy(&self.configurations, &named) {
                Ok(policy) => self.all.push(Demand { policy, by: Some(named.dir) }),
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() {
            let ids = |dir: &Path| {
                let by = self.all.iter().filter(|it| it.by.as_deref() == Some(dir));
                by.flat_map(|it| &it.policy.rules).map(|it| it.id.clone()).collect()
            };
            problems = self.configurations.unknown_policy_rules(&ids);
        }
        problems
    }

    /// A finding of a policy at its configured level; `None` where it is ignored or its rule is off.
    pub fn adjust(&self, demand: &Demand, finding: Finding) -> Option<Finding> {
        if finding.policy.is_none() {
            return Some(finding);
        }
        if let Some(by) = &demand.by {
            let module = paths::display(&self.dir);
            let of_module = Finding { module, ..finding };
            let adjusted = self.configurations.adjust_policy(of_module, by)?;
            return Some(Finding { module: String::new(), ..adjusted });
        }
        let declared = |id: &str| demand.policy.rules.iter().find(|it| it.id == id);
        let Some(rule) = finding.rule.policy().and_then(declared) else { return Some(finding) };
        let file = &demand.policy.sources.file(rule.span.file).path;
        self.configurations.adjust_named_rule(finding, Path::new(file))
    }
}
