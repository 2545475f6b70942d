//! What `validate` would say about the skeleton that is printed, and what nobody can know behind the walls.

use std::collections::BTreeSet;

use super::{
    find::Missing,
    forms::SkeletonForm,
    suspects::{Around, suspects},
    unseen::Unseen,
    whole::{Company, Judged, Whole, is_same},
};
use diagnostics::{Cause, Finding, Verdict};
use verdict::tree::ModuleTree;

/// What is known about a skeleton. Findings name the variables that they may follow from.
#[derive(Clone, Debug)]
pub struct SkeletonOutcome {
    /// The verdict of the whole module on the values, without the errors that no values change.
    pub verdict: Verdict,
    /// The errors that the module has with these values, if it rejects them.
    pub findings: Vec<Finding>,
    /// The errors of the module that no values change.
    pub certain: Vec<Finding>,
    /// Whether the module has errors only because nobody passes it configurations of providers, as the printed text
    /// or its caller does.
    pub needs_providers: bool,
    /// The errors that only the directory's own values files or the environment cause.
    pub foreign: Vec<Finding>,
    /// What was not decided.
    pub undecided: Vec<Finding>,
    /// Paths outside of the walls that the module looks at with these values.
    pub unseen: BTreeSet<String>,
    /// The errors that the module has if nothing exists at these paths.
    pub if_absent: Vec<Finding>,
}

impl Whole<'_> {
    /// Judges what is printed: a values file by its name and its text. `judged`: what is known about the values.
    pub fn outcome(
        &self,
        judged: &Judged,
        name: &str,
        text: &str,
        tree: &ModuleTree,
        missing: &[Missing],
        form: SkeletonForm,
    ) -> SkeletonOutcome {
        let judge = |whole: &Whole<'_>, company| {
            whole.judge_text(name, text.to_owned(), &judged.certain, company)
        };
        let noting = Unseen::noting(self.system);
        let mut last = judge(&Whole { system: &noting, ..*self }, Company::All);
        let mut foreign = Vec::new();
        if last.verdict == Verdict::Reject && judged.verdict != Verdict::Reject {
            let alone = judge(self, Company::Alone);
            if alone.verdict != Verdict::Reject {
                foreign = std::mem::replace(&mut last, alone).findings;
            }
        }
        let Judged { verdict, mut findings, mut certain, undecided } = last;
        let known = certain.len();
        certain.retain(|it| !form.has_caller() || it.cause != Some(Cause::CallersProvider));
        let needs_providers = certain.is_empty() && known > 0;
        let mut unseen = noting.into_paths();
        let mut if_absent = Vec::new();
        if !unseen.is_empty() {
            let absent = Unseen::absent(self.system);
            let other = judge(&Whole { system: &absent, ..*self }, Company::All);
            let known = [&findings, &foreign];
            let is_new =
                |it: &Finding| !known.iter().any(|all| all.iter().any(|other| is_same(other, it)));
            if_absent.extend(other.findings.into_iter().filter(is_new));
            let further = absent.into_paths();
            // Without the home directory only this was known of such a path. A module that reads none asks just for
            // its name, as with `pathexpand("~")`.
            if if_absent.is_empty() || further.iter().any(|it| it.starts_with("~/")) {
                unseen.remove("~");
            }
            unseen.extend(further);
        }
        // The variables without values are named with their rules.
        findings.retain(|it| {
            !missing.iter().any(|lack| Some(lack.variable.as_str()) == it.variable.as_deref())
        });
        // What is named with its path needs no second line.
        let place = |of: &Finding| of.locations.first().map(|it| (it.file.clone(), it.line));
        let undecided: Vec<Finding> = undecided
            .into_iter()
            .filter(|it| !if_absent.iter().any(|other| place(other) == place(it)))
            .collect();
        let of = |all: Vec<Finding>| all.into_iter().map(|it| self.blamed(it, tree)).collect();
        SkeletonOutcome {
            verdict,
            findings: of(findings),
            certain,
            needs_providers,
            foreign: of(foreign),
            undecided: of(undecided),
            unseen,
            if_absent: of(if_absent),
        }
    }

    /// The finding with the variables of the root module that it may follow from.
    fn blamed(&self, mut finding: Finding, tree: &ModuleTree) -> Finding {
        if finding.variables.is_empty() {
            let around = [Around::Attribute, Around::Block];
            let each = around.map(|it| suspects(self.module.module(), tree, &finding, it));
            let all = each.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
            finding.variables = all.into_iter().map(|it| it.name).collect();
        }
        finding
    }
}
