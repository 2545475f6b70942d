//! Judges the found values as a values file of the whole module, and repairs what only the whole module refuses.

use std::{collections::BTreeSet, fmt::Write};

use smol_str::SmolStr;

use super::{
    find::{Finder, Found},
    write::{self, Shape},
};
use check::{Judging, ReadModule};
use compat::Arguments;
use diagnostics::{Finding, Level, Verdict};
use hcl::analysis::{PathStep, references};
use module::{
    Module, WordsOf,
    inputs::{InputArgument, InputRequest},
};
use projection::schema::{AttributeComments, words_of};
use system::{System, paths};
use tf_eval::Meter;
use tf_value::DYNAMIC;
use verdict::{JudgeSetting, Loaded};

/// How many other values are tried.
const TRIES: usize = 80;

/// How many of them for one variable: that an error is about, and for others.
const RELEVANT: usize = 40;
const OF_ONE: usize = 5;

/// What the module says about the values.
pub struct Judged {
    /// Without the errors that no values change.
    pub verdict: Verdict,
    pub findings: Vec<Finding>,
    /// The errors that no values change, such as a file that is not there.
    pub certain: Vec<Finding>,
}

/// Judges the values; while the module rejects them, tries others for the variables that are not fixed.
pub fn judge(
    system: &dyn System,
    module: &ReadModule,
    finder: &Finder<'_, '_>,
    found: &mut Found,
    fixed: &Arguments,
) -> Judged {
    let mut judged = judge_once(system, module, &found.values, &[]);
    if judged.verdict == Verdict::Reject {
        let certain = certain(system, module);
        judged = judge_once(system, module, &found.values, &certain);
    }
    if !found.missing.is_empty() {
        return judged;
    }
    let mut left = TRIES;
    let relevant = relevant(module.module(), &judged.findings);
    let mut names: Vec<_> =
        found.values.keys().filter(|it| !fixed.contains_key(*it)).cloned().collect();
    names.sort_by_key(|it| !relevant.contains(it));
    for name in names {
        let most = if relevant.contains(&name) { RELEVANT } else { OF_ONE };
        for value in finder.others(&name).into_iter().take(most) {
            if left == 0 || judged.verdict != Verdict::Reject {
                return judged;
            }
            let mut other = found.values.clone();
            other.insert(name.clone(), value);
            if other == found.values || !finder.accepts(&other) {
                continue;
            }
            left -= 1;
            let next = judge_once(system, module, &other, &judged.certain);
            let is_better =
                next.verdict != Verdict::Reject || next.findings.len() < judged.findings.len();
            if is_better {
                (judged, found.values) = (next, other);
            }
        }
    }
    judged
}

/// The variables that the errors are about, directly or through an argument of a call.
fn relevant(module: &Module, findings: &[Finding]) -> BTreeSet<SmolStr> {
    let mut out = BTreeSet::new();
    for finding in findings {
        let Some(variable) = &finding.variable else { continue };
        let call = finding
            .address
            .strip_prefix("module.")
            .map(|it| it.split(['.', '[']).next().unwrap_or_default());
        let Some(call) = call else {
            out.insert(SmolStr::new(variable));
            continue;
        };
        let Some(call) = module.calls.get(call) else { continue };
        let own = call.arguments.get(variable.as_str());
        // Further down any argument may be the one.
        let arguments = own.into_iter().chain(call.arguments.values().filter(|_| own.is_none()));
        for it in arguments.flat_map(|it| references(&it.expr)) {
            if let ("var", Some(PathStep::Attr(name))) = (it.root.name.as_str(), it.steps.first()) {
                out.insert(name.clone());
            }
        }
    }
    out
}

/// The errors that the module has with all values.
fn certain(system: &dyn System, module: &ReadModule) -> Vec<Finding> {
    let meter = &Meter::default();
    let dir = &module.module().dir;
    let mut loaded = Loaded::new(module.module().clone());
    let words: Option<WordsOf> = Some(words_of);
    let setting = JudgeSetting { words, ..JudgeSetting::new(system, dir, module.release(), meter) };
    let request = InputRequest { dir: dir.clone(), ..InputRequest::default() };
    let mut found = loaded.follow_initialised(&request, None, setting);
    found.extend(loaded.judge_all_alone(setting).diagnostics);
    let shown = paths::display(dir);
    let errors = found.iter().filter(|it| it.is_error());
    errors.map(|it| Finding::new(it, &shown, &loaded.sources)).collect()
}

fn judge_once(
    system: &dyn System,
    module: &ReadModule,
    values: &Arguments,
    certain: &[Finding],
) -> Judged {
    let mut text = String::new();
    let comments = AttributeComments::default();
    let shape =
        Shape { ty: &DYNAMIC, defaults: None, comments: &comments, with_optional: false, depth: 0 };
    for (name, value) in values {
        _ = writeln!(text, "{name} = {}", write::lines(value, shape).join("\n"));
    }
    let inputs = InputRequest {
        dir: module.module().dir.clone(),
        arguments: vec![InputArgument::Text("skeleton.tfvars".to_owned(), text)],
        ..InputRequest::default()
    };
    let goes_on = !certain.is_empty();
    let report = module.judge(system, &inputs, Judging { goes_on, ..Judging::default() });
    let verdict = report.verdict().unwrap_or(Verdict::Undecided);
    let is_error = |it: &Finding| it.level == Level::Error;
    let errors = report.findings.into_iter().filter(is_error);
    let is_certain = |it: &Finding| {
        certain.iter().any(|other| other.rule == it.rule && other.message == it.message)
    };
    let (certain, findings): (Vec<_>, Vec<_>) = errors.partition(is_certain);
    let is_rejected = verdict == Verdict::Reject && !findings.is_empty();
    let verdict = match verdict {
        Verdict::Reject if !is_rejected => Verdict::Undecided,
        other => other,
    };
    Judged { verdict, findings, certain }
}
