//! The recorded questions of the project. Where a release answers otherwise, its answer is recorded too.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use diagnostics::{has_errors, lints};
use serde::Deserialize;
use system::MemorySystem;
use testkit::{
    eval::{ours::Prelude, transcripts},
    unpacked::unpacked,
    verdict::answer::{Answer, Failed, Place, Places},
};
use tf_eval::Meter;
use tf_value::json;
use verdict::{
    Loaded,
    tree::{KnownInputs, Library, Locator, Reading},
};

use super::{Blame, Release, blame, compare_all, data, other_outcome, said, verdict};
use crate::{
    eval::recorded,
    oracle::{self, Case, Run, TypedValue, cases_in},
    verdict::unescaped,
};

const PRELUDE: &str = include_str!("../../data/oracle/expressions/prelude.tf");

/// What a release answers otherwise than Terraform 1.11.4. A kind that is absent was not asked yet.
#[derive(Deserialize, Default)]
struct Other {
    expressions: Option<BTreeMap<String, String>>,
    cases: Option<BTreeMap<String, OtherCase>>,
    verdicts: Option<BTreeMap<String, OtherCase>>,
    trees: Option<BTreeMap<String, TreeAnswer>>,
    blocks: Option<BTreeMap<String, Vec<String>>>,
}

#[derive(Deserialize)]
struct OtherCase {
    verdict: String,
    errors: Vec<Blamed>,
    values: Option<BTreeMap<String, TypedValue>>,
}

#[derive(Deserialize)]
struct Blamed {
    variable: Option<String>,
    rule: Option<usize>,
}

#[derive(Deserialize)]
struct Tree {
    runs: Vec<TreeRun>,
}

#[derive(Deserialize)]
struct TreeRun {
    name: String,
    args: Vec<String>,
    #[serde(default)]
    dir: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(flatten)]
    answer: TreeAnswer,
}

#[derive(Clone, Deserialize)]
struct TreeAnswer {
    verdict: String,
    errors: Vec<TreeError>,
}

#[derive(Clone, Deserialize)]
struct TreeError {
    summary: String,
    #[serde(default)]
    detail: String,
    at: Option<String>,
    module: Option<String>,
    variable: Option<String>,
    rule: Option<usize>,
}

#[derive(Deserialize)]
struct Blocks {
    files: BTreeMap<String, String>,
    refused: Vec<String>,
}

/// All recorded questions, with the answers of Terraform 1.11.4.
struct Questions {
    expressions: BTreeMap<String, String>,
    cases: Vec<Case>,
    verdicts: Vec<Case>,
    trees: Vec<(String, PathBuf, TreeRun)>,
    blocks: Vec<Blocks>,
}

#[test]
fn records_are_answered_as_by_every_release() {
    let questions = Questions::read();
    let others: BTreeMap<String, Other> = fs::read_dir(data())
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "json"))
        .map(|it| (it.file_stem().unwrap().to_string_lossy().into_owned(), it))
        .filter(|it| it.0 != "releases")
        .map(|(name, it)| {
            let text = fs::read_to_string(it).unwrap();
            let other =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, other)
        })
        .collect();
    // What any release answers otherwise is asked of all; everything is asked of those at the ends.
    let varying: BTreeSet<(&str, &str)> = others.values().flat_map(Other::keys).collect();
    let ends = ends(others.keys());
    // What differs from the record of Terraform 1.11.4 is listed where that is tested.
    let base = Other::default();
    let at_base = questions.compare(&Release::recorded(), &base, |_, _| true);
    let known: BTreeSet<(&str, String)> = at_base.into_iter().map(|it| (it.0, it.1)).collect();
    let mut found = compare_all(|release, found| {
        let Some(other) = others.get(&release.name) else { return };
        let is_end = ends.contains(&release.name) || std::env::var_os(super::ONE).is_some();
        let own: BTreeSet<(&str, &str)> = other.keys().into_iter().collect();
        let asked = |kind: &'static str, name: &str| {
            other.asked(kind)
                && !super::deviations::is_known(&release.name, name)
                && (is_end || varying.contains(&(kind, name)))
                && (own.contains(&(kind, name)) || !known.contains(&(kind, name.to_owned())))
        };
        for (kind, name, difference) in questions.compare(release, other, asked) {
            found.compare(kind, &format!("{} {name}", release.name), Some(difference));
        }
        found.compared += varying.len();
        for name in super::deviations::of_expressions(&release.name, false) {
            let it = |kind: &'static str, asked: &str| kind == "expressions" && asked == name;
            if questions.compare(release, other, it).is_empty() {
                let name = format!("{} {name}", release.name);
                found.compare("no deviations any more", &name, Some(String::new()));
            }
        }
    });
    found.assert_none(&["expressions", "cases", "verdicts", "trees", "blocks"]);
}

/// The oldest and the newest release of each product.
fn ends<'a>(names: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    let mut products: BTreeMap<&str, Vec<(Vec<u32>, &String)>> = BTreeMap::new();
    for name in names {
        let (product, version) = name.split_once('-').unwrap();
        let numbers = version.split(['.', '-']).map_while(|it| it.parse().ok()).collect();
        products.entry(product).or_default().push((numbers, name));
    }
    let mut ends = BTreeSet::new();
    for mut releases in products.into_values() {
        releases.sort();
        ends.extend(releases.first().into_iter().chain(releases.last()).map(|it| it.1.clone()));
    }
    ends
}

impl Other {
    /// Kinds and names of what is answered otherwise.
    fn keys(&self) -> Vec<(&'static str, &str)> {
        fn names<'a, T>(
            kind: &'static str,
            of: Option<&'a BTreeMap<String, T>>,
        ) -> impl Iterator<Item = (&'static str, &'a str)> {
            of.into_iter().flat_map(BTreeMap::keys).map(move |it| (kind, &**it))
        }
        names("expressions", self.expressions.as_ref())
            .chain(names("cases", self.cases.as_ref()))
            .chain(names("verdicts", self.verdicts.as_ref()))
            .chain(names("trees", self.trees.as_ref()))
            .chain(names("blocks", self.blocks.as_ref()))
            .collect()
    }

    fn asked(&self, kind: &str) -> bool {
        match kind {
            "expressions" => self.expressions.is_some(),
            "cases" => self.cases.is_some(),
            "verdicts" => self.verdicts.is_some(),
            "trees" => self.trees.is_some(),
            _ => self.blocks.is_some(),
        }
    }
}

/// Kind, name, difference.
type Found = (&'static str, String, String);

impl Questions {
    fn read() -> Questions {
        let mut trees = Vec::new();
        for entry in fs::read_dir(unpacked("trees")).unwrap() {
            let dir = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(dir.join("expected.json")) else { continue };
            let tree: Tree = serde_json::from_str(&text).unwrap();
            let name = dir.file_name().unwrap().to_string_lossy().into_owned();
            trees.extend(
                tree.runs.into_iter().map(|it| (format!("{name}/{}", it.name), dir.clone(), it)),
            );
        }
        let blocks = include_str!("../../data/blocks.jsonl").lines();
        Questions {
            expressions: recorded::answers().into_iter().chain(transcripts::answers()).collect(),
            cases: oracle::cases(),
            verdicts: cases_in(&unpacked("verdicts")),
            trees,
            blocks: blocks.map(|it| serde_json::from_str(it).unwrap()).collect(),
        }
    }

    /// What we answer otherwise than a release, of the questions that are asked.
    fn compare(
        &self,
        release: &Release,
        other: &Other,
        asked: impl Fn(&'static str, &str) -> bool,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        let mut add = |kind: &'static str, name: &str, difference: Option<String>| {
            found.extend(difference.map(|it| (kind, name.to_owned(), it)));
        };
        let prelude = Prelude::parse(PRELUDE);
        for (text, answer) in self.expressions.iter().filter(|it| asked("expressions", it.0)) {
            let answer = other.expressions.as_ref().and_then(|it| it.get(text)).unwrap_or(answer);
            add("expressions", text, other_outcome(answer, &release.evaluate(text, &prelude)));
        }
        for (kind, cases, others) in
            [("cases", &self.cases, &other.cases), ("verdicts", &self.verdicts, &other.verdicts)]
        {
            for case in cases {
                for run in &case.runs {
                    let name = format!("{}/{}", case.name, run.name);
                    if asked(kind, &name) {
                        add(
                            kind,
                            &name,
                            other_verdict(
                                release,
                                case,
                                run,
                                others.as_ref().and_then(|it| it.get(&name)),
                            ),
                        );
                    }
                }
            }
        }
        for (name, dir, run) in self.trees.iter().filter(|it| asked("trees", &it.0)) {
            let answer = other.trees.as_ref().and_then(|it| it.get(name)).unwrap_or(&run.answer);
            add("trees", name, other_tree(release, dir, run, answer));
        }
        for (index, blocks) in self.blocks.iter().enumerate() {
            let name = (index + 1).to_string();
            if asked("blocks", &name) {
                let refused =
                    other.blocks.as_ref().and_then(|it| it.get(&name)).unwrap_or(&blocks.refused);
                add("blocks", &name, other_blocks(release, &blocks.files, refused));
            }
        }
        found
    }
}

fn other_verdict(
    release: &Release,
    case: &Case,
    run: &Run,
    other: Option<&OtherCase>,
) -> Option<String> {
    let files = run.var_files.iter().map(|it| format!("-var-file={it}"));
    let args: Vec<String> = files.chain(run.args.iter().cloned()).collect();
    let (judgement, _) = release.judge(&case.dir, &args, &run.env);
    if other.is_some_and(|it| it.verdict == "crash") {
        return None;
    }
    let recorded = &run.expected;
    let (wanted, theirs, values): (&str, Blame, _) = if let Some(it) = other {
        let blamed = it.errors.iter().map(|it| (it.variable.clone(), it.rule));
        (&it.verdict, blamed.collect(), &it.values)
    } else {
        let blamed = recorded.errors.iter().map(|it| (it.variable.clone(), it.rule));
        (&recorded.verdict, blamed.collect(), &recorded.values)
    };
    let ours = blame(&judgement);
    if verdict(&judgement) != wanted || ours != theirs {
        let said = said(&judgement);
        let ours = format!("{} {ours:?} {said:?}", verdict(&judgement));
        return Some(format!("{ours}\n      answered: {wanted} {theirs:?}"));
    }
    values.iter().flatten().find_map(|(name, expected)| {
        let ours = judgement.values.get(name.as_str());
        let text = |it| json::value_to_json(it).ok().map(|it| unescaped(&it));
        let ours = ours.map(|it| (json::type_to_json(it.ty()), text(it)));
        let theirs = (expected.ty.clone(), Some(expected.value.clone()));
        (ours.as_ref() != Some(&theirs)).then(|| format!("var.{name} is {ours:?}, not {theirs:?}"))
    })
}

fn other_tree(
    release: &Release,
    case: &Path,
    run: &TreeRun,
    answer: &TreeAnswer,
) -> Option<String> {
    if answer.verdict == "crash" {
        return None;
    }
    let told = answer.errors.iter().map(|it| {
        let place = it.at.as_deref().and_then(Place::parse);
        (it.summary.clone(), it.detail.clone(), place)
    });
    let is_accepted = answer.verdict == "accept";
    let mut theirs = Answer::told(is_accepted, told, &Places::of(case, &run.dir));
    let is_rule = |it: &&TreeError| it.detail.contains("checked by the validation rule");
    theirs.failed.extend(answer.errors.iter().filter(is_rule).filter_map(|it| {
        let addresses = it.module.iter().cloned().collect();
        Some(Failed { addresses, variable: it.variable.clone()?, rule: it.rule })
    }));
    let (judgement, sources) = release.judge(&case.join(&run.dir), &run.args, &run.env);
    let ours = Answer::ours(&judgement, &sources, &case.to_string_lossy());
    let difference = ours.differs(&theirs)?;
    Some(format!("{difference}\n      ours: {:?}\n      answered: {:?}", ours.said, theirs.said))
}

fn other_blocks(
    release: &Release,
    files: &BTreeMap<String, String>,
    refused: &[String],
) -> Option<String> {
    let add = |system: MemorySystem, (name, text): (&String, &String)| {
        system.file(Path::new("/m").join(name), text)
    };
    let system = files.iter().fold(MemorySystem::new().directory("/m"), add);
    let options = &release.options();
    let (module, mut found) = module::load(&system, Path::new("/m"), options).unwrap();
    let (library, meter) = (&Library::default(), &Meter::default());
    let locator = &Locator::initialised(None, None);
    let given = Some(&KnownInputs::new());
    let enters_broken = false;
    let reading =
        Reading { system: &system, options, library, locator, given, enters_broken, meter };
    // Whether there is a module behind a source was not asked.
    let called = Loaded::new(module).follow_calls(reading).into_iter();
    found.extend(called.filter(|it| it.rule != lints::MISSING_MODULE));
    let texts: Vec<&String> = files.values().collect();
    (has_errors(&found) == refused.is_empty())
        .then(|| format!("{texts:?}\n      ours: {found:?}\n      answered: {refused:?}"))
}
