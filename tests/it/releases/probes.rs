//! Probes: small questions of our own, each of which shows one difference between releases.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde::Deserialize;
use serde_json::Value as Answer;
use testkit::eval::ours::Prelude;

use super::{Release, compare_all, data, other_outcome, releases, said, verdict};

const PRELUDE: &str = include_str!("../../data/oracle/expressions/prelude.tf");

/// What we judge otherwise than Terraform 1.11.4 already, by the reason. Other releases that answer
/// the same as 1.11.4 are not compared.
const DEVIATIONS: &[(&str, &[&str])] = &[
    (
        "What only an apply knows is left open.",
        &[
            "rules/unknown-and-false",
            "rules/unknown-can",
            "rules/unknown-null-guard",
            "rules/unknown-startswith",
        ],
    ),
    ("Tests are not looked at.", &["files/test-file-module"]),
    ("To be looked at.", &["values/args-quoted"]),
    (
        "What stays unknown in a tuple is null after an apply.",
        &["functions/format-type", "functions/strings-type-of-format"],
    ),
];

/// What we judge otherwise than some release that answers otherwise than 1.11.4, by the reason.
const OPEN: &[(&str, &[&str])] = &[
    ("What only an apply knows is left open.", &["rules/unknown-or-true"]),
    ("What a backend requires is not looked at.", &["blocks/backend-oci"]),
];

#[derive(Deserialize)]
struct Probe {
    name: String,
    expr: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// By product: an answer holds from its release to the next one.
    #[serde(default)]
    answers: BTreeMap<String, Vec<(String, Answer)>>,
    /// `PRODUCT RELEASE`
    #[serde(default)]
    unasked: Vec<String>,
}

#[test]
fn probes_are_answered_as_by_every_release() {
    let families = families();
    let prelude = Prelude::parse(PRELUDE);
    let recorded = Release::recorded();
    let deviating: BTreeSet<&str> = DEVIATIONS.iter().flat_map(|it| it.1).copied().collect();
    let open: BTreeSet<&str> = OPEN.iter().flat_map(|it| it.1).copied().collect();
    let mut found = compare_all(|release, found| {
        for known in super::deviations::of_expressions(&release.name, true) {
            let (of, name) = known.split_once('/').expect("a family and a name");
            let (_, probes) = families.iter().find(|it| it.0 == of).expect("a family");
            let probe = probes.iter().find(|it| it.name == name).expect("a probe");
            let answer = probe.answer(release).expect("an answer");
            if probe.difference(release, answer, &prelude).is_none() {
                let name = format!("{} {known}", release.name);
                found.compare("no deviations any more", &name, Some(String::new()));
            }
        }
        for (family, probes) in &families {
            for probe in probes {
                let Some(answer) = probe.answer(release) else { continue };
                let name = format!("{family}/{}", probe.name);
                let is_recorded = probe.answer(&recorded) == Some(answer);
                let is_known = super::deviations::is_known(&release.name, &name);
                if is_known || open.contains(&*name) || (deviating.contains(&*name) && is_recorded)
                {
                    continue;
                }
                let difference = probe.difference(release, answer, &prelude);
                found.compare("probes", &format!("{} {name}", release.name), difference);
            }
        }
    });
    assert!(found.compared > 500, "only {} answers", found.compared);
    for (family, probes) in &families {
        for probe in probes.iter().filter(|it| open.contains(&*format!("{family}/{}", it.name))) {
            let differs = |release: &Release| {
                let answer = probe.answer(release)?;
                probe.difference(release, answer, &prelude)
            };
            if releases().iter().all(|it| differs(it).is_none()) {
                found.compare("not open any more", &probe.name, Some(String::new()));
            }
        }
        for probe in
            probes.iter().filter(|it| deviating.contains(&*format!("{family}/{}", it.name)))
        {
            let answer = probe.answer(&recorded).expect("an answer of Terraform 1.11.4");
            if probe.difference(&recorded, answer, &prelude).is_none() {
                found.compare("no deviations any more", &probe.name, Some(String::new()));
            }
        }
    }
    found.assert_none(&["probes"]);
}

/// `FAMILY/NAME` of every probe.
pub(super) fn names() -> Vec<String> {
    let of = |(family, probes): (String, Vec<Probe>)| {
        probes.into_iter().map(move |it| format!("{family}/{}", it.name)).collect::<Vec<_>>()
    };
    families().into_iter().flat_map(of).collect()
}

fn families() -> Vec<(String, Vec<Probe>)> {
    let mut names: Vec<_> =
        fs::read_dir(data().join("probes")).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    let read = |it: &std::path::PathBuf| {
        let text = fs::read_to_string(it).unwrap();
        let name = it.file_stem().unwrap().to_string_lossy().into_owned();
        let probes = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, probes)
    };
    names.iter().map(read).collect()
}

impl Probe {
    /// The answer that holds at a release; none where it was not asked, or crashes.
    fn answer(&self, release: &Release) -> Option<&Answer> {
        let (product, version) = release.name.split_once('-').unwrap();
        if self.unasked.iter().any(|it| *it == format!("{product} {version}")) {
            return None;
        }
        let answers = self.answers.get(product)?;
        let held = answers.iter().rev().find(|it| order(&it.0) <= order(version));
        held.map(|it| &it.1).filter(|it| *it != "crash")
    }

    fn difference(&self, release: &Release, answer: &Answer, prelude: &Prelude) -> Option<String> {
        let Some(text) = &self.expr else { return self.other_verdict(release, answer) };
        let other = other_outcome(answer.as_str().unwrap(), &release.evaluate(text, prelude));
        other.map(|it| format!("{text}\n      ours: {it}"))
    }

    /// Of the verdict, and of variables and rules that failed.
    fn other_verdict(&self, release: &Release, answer: &Answer) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (name, text) in &self.files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
            fs::write(path, text).unwrap();
        }
        let (judgement, _) = release.judge(&root, &self.args, &self.env);
        let errors = judgement.diagnostics.iter().filter(|it| it.is_error());
        let ours: BTreeSet<(String, usize)> = errors
            .filter_map(|it| Some((it.variable.as_ref()?.to_string(), it.validation?)))
            .collect();
        let errors = answer["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
        let theirs: BTreeSet<(String, usize)> =
            errors.iter().filter_map(|it| failed_rule(it.as_str()?)).collect();
        let alike = answer["verdict"] == verdict(&judgement) && ours == theirs;
        let text = || {
            let files = self.files.iter().map(|(name, it)| format!("--- {name}\n{it}"));
            let files = files.collect::<String>().replace('\n', "\n      ");
            format!(
                "{} {:?}\n      answered: {answer}\n      {files}",
                verdict(&judgement),
                said(&judgement)
            )
        };
        (!alike).then(text)
    }
}

/// Of `SUMMARY: var.NAME rule N`.
fn failed_rule(error: &str) -> Option<(String, usize)> {
    let (variable, rule) = error.rsplit_once(": var.")?.1.split_once(" rule ")?;
    Some((variable.to_owned(), rule.parse().ok()?))
}

/// A release among others; a candidate comes before the final one.
fn order(version: &str) -> (Vec<u32>, bool, &str) {
    let (numbers, candidate) = version.split_once('-').unwrap_or((version, ""));
    (numbers.split('.').map(|it| it.parse().unwrap()).collect(), candidate.is_empty(), candidate)
}
