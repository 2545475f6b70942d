//! Every release of Terraform and OpenTofu that was asked (`tests/record-releases`): we judge as it
//! does, both the recorded questions and the probes.
//!
//! `TERRASCHEMA_RELEASE=opentofu-1.12.6` compares that release alone, and all of its records.

mod deviations;
mod page;
mod probes;
mod records;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use diagnostics::{Diagnostic, Sources, Verdict};
use module::inputs::InputRequest;
use release::{Product, Release as Judged};
use testkit::{
    eval::{
        json::Json,
        ours::{ApplyOutcome, Prelude, evaluate_text},
    },
    verdict::system::{TestSystem, arguments},
};
use tf_eval::Meter;
use verdict::{
    JudgeSetting, Judgement, Loaded, plan,
    tree::{Library, Locator, Manifest, Reading},
};

/// Compares this release alone.
const ONE: &str = "TERRASCHEMA_RELEASE";

/// What a release is called here and what the library calls it. Nothing else in these tests knows how
/// the library does that.
#[derive(Clone, Debug)]
struct Release {
    /// `PRODUCT-VERSION`
    name: String,
    judged: Judged,
}

impl Release {
    fn new(product: &str, version: &str) -> Release {
        let of = if product == "opentofu" { Product::OpenTofu } else { Product::Terraform };
        let judged = Judged::parse(of, version).unwrap();
        assert_eq!(judged, of.releases().find(|it| *it == judged).unwrap(), "{version} is no row");
        Release { name: format!("{product}-{version}"), judged }
    }

    /// The release whose answers are the recorded ones.
    fn recorded() -> Release {
        Release::new("terraform", "1.11.4")
    }

    fn options(&self) -> module::LoadOptions {
        module::LoadOptions { release: self.judged, ..module::LoadOptions::default() }
    }

    fn evaluate(&self, expression: &str, prelude: &Prelude) -> ApplyOutcome {
        evaluate_text(expression, prelude, self.judged)
    }

    fn setting<'a>(
        &self,
        system: &'a TestSystem,
        dir: &'a Path,
        meter: &'a Meter,
    ) -> JudgeSetting<'a> {
        JudgeSetting::new(system, dir, self.judged, meter)
    }

    /// What we say about a root module and the arguments of `plan`.
    fn judge(
        &self,
        dir: &Path,
        args: &[String],
        env: &BTreeMap<String, String>,
    ) -> (Judgement, Sources) {
        let system = &TestSystem::at(dir).with_env(env);
        let (options, meter) = (&self.options(), &Meter::default());
        let (module, mut loading) = module::load_metered(system, dir, options, meter).unwrap();
        let mut module = Loaded::new(module);
        let library = &Library::default();
        let data_dir = env.get("TF_DATA_DIR").map(String::as_str);
        let locator = &Locator::initialised(Manifest::read(system, dir, data_dir), None);
        let variables = ["TF_CLI_ARGS", "TF_CLI_ARGS_plan"];
        let given = variables.iter().filter_map(|it| env.get(*it));
        let given = given.flat_map(|it| it.split_whitespace()).map(str::to_owned);
        let args: Vec<String> = given.chain(args.iter().cloned()).collect();
        let request = InputRequest {
            dir: dir.to_owned(),
            environment: true,
            auto_files: true,
            arguments: arguments(&args),
        };
        let setting = self.setting(system, dir, meter);
        let given = module.given_before(&request, setting);
        let given = given.as_ref();
        let enters_broken = false;
        let reading = Reading { system, options, library, locator, given, enters_broken, meter };
        loading.extend(module.follow_calls(reading));
        let judgement = plan(&mut module, loading, &request, setting);
        (judgement, module.sources.clone())
    }
}

/// Where we differ: by kind of question, as `KIND: RELEASE NAME: DIFFERENCE`.
#[derive(Default)]
struct Differences {
    compared: usize,
    found: BTreeMap<&'static str, Vec<String>>,
    /// Those that were found.
    known: BTreeSet<&'static str>,
}

impl Differences {
    fn compare(&mut self, kind: &'static str, name: &str, difference: Option<String>) {
        self.compared += 1;
        let is_unlike = difference.is_some();
        if let Some(it) = deviations::known(kind, name).filter(|_| is_unlike) {
            self.known.insert(it);
            return;
        }
        let text = difference.map(|it| format!("{name}: {it}"));
        self.found.entry(kind).or_default().extend(text);
    }

    fn append(&mut self, other: Differences) {
        self.compared += other.compared;
        self.known.extend(other.known);
        for (kind, texts) in other.found {
            self.found.entry(kind).or_default().extend(texts);
        }
    }

    /// Also asserts that every known deviation of these kinds still is one.
    fn assert_none(&mut self, kinds: &[&str]) {
        if std::env::var_os(ONE).is_none() {
            let gone = deviations::of(kinds).filter(|it| !self.known.contains(it));
            let gone: Vec<String> = gone.map(str::to_owned).collect();
            self.found.entry("no deviations any more").or_default().extend(gone);
        }
        let mut text = String::new();
        for (kind, differing) in &self.found {
            writeln!(text, "{kind}: {}", differing.len()).unwrap();
            differing.iter().for_each(|it| writeln!(text, "  {it}").unwrap());
        }
        let count: usize = self.found.values().map(Vec::len).sum();
        assert!(count == 0, "{count} of {} answers differ\n{text}", self.compared);
    }
}

/// The releases that were asked.
fn releases() -> Vec<Release> {
    let asked = fs::read_to_string(data().join("releases.json")).unwrap();
    let asked: BTreeMap<String, Vec<String>> = serde_json::from_str(&asked).unwrap();
    let named = asked.iter().flat_map(|(product, versions)| {
        versions.iter().map(move |version| Release::new(product, version))
    });
    let one = std::env::var(ONE).ok();
    named.filter(|it| one.as_ref().is_none_or(|one| it.name == *one)).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/releases")
}

/// Runs `compare` for all releases, some at a time.
fn compare_all(compare: impl Fn(&Release, &mut Differences) + Sync) -> Differences {
    let releases = releases();
    let mut all = Differences::default();
    std::thread::scope(|scope| {
        let compare = &compare;
        let work = |part: Vec<Release>| {
            move || {
                let mut found = Differences::default();
                part.iter().for_each(|it| compare(it, &mut found));
                found
            }
        };
        let halves = releases.chunks(releases.len().div_ceil(2).max(1)).map(<[_]>::to_vec);
        let spawn = |part| {
            std::thread::Builder::new()
                .stack_size(32 << 20)
                .spawn_scoped(scope, work(part))
                .unwrap()
        };
        let running: Vec<_> = halves.map(spawn).collect();
        running.into_iter().for_each(|it| all.append(it.join().unwrap()));
    });
    all
}

/// A variable and one of its rules.
type Blame = BTreeSet<(Option<String>, Option<usize>)>;

fn blame(judgement: &Judgement) -> Blame {
    let errors = judgement.diagnostics.iter().filter(|it| it.is_error());
    errors.map(|it| (it.variable.as_ref().map(ToString::to_string), it.validation)).collect()
}

fn verdict(judgement: &Judgement) -> &'static str {
    match judgement.verdict {
        Verdict::Accept => "accept",
        Verdict::Reject => "reject",
        Verdict::Undecided => "undecided",
    }
}

/// What we say, for a message.
fn said(judgement: &Judgement) -> Vec<String> {
    let text = |it: &Diagnostic| format!("{}: {}", it.rule, it.message());
    judgement.diagnostics.iter().filter(|it| it.is_error()).map(text).collect()
}

/// How an expression's outcome differs from an answer `VALUE : TYPE`, `infinite` or `error: SUMMARY`.
/// Of an error only that it is one counts. What crashes a release says nothing.
fn other_outcome(answer: &str, actual: &ApplyOutcome) -> Option<String> {
    if answer == "crash" {
        return None;
    }
    let answer = answer.strip_prefix("sensitive ").unwrap_or(answer);
    let expected = match answer.rsplit_once(" : ") {
        _ if answer.starts_with("error") => ApplyOutcome::Error(Vec::new()),
        _ if answer == "infinite" => ApplyOutcome::Infinite,
        Some((value, ty)) => ApplyOutcome::Value { ty: Json::parse(ty), value: Json::parse(value) },
        None => panic!("{answer} is no answer"),
    };
    let agrees = match (&expected, actual) {
        (ApplyOutcome::Error(_), ApplyOutcome::Error(_)) => true,
        // What is still unknown after an apply is null.
        (ApplyOutcome::Value { ty, value: Json::Null }, ApplyOutcome::Unknown { ty: actual }) => {
            ty == actual
        }
        _ => expected == *actual,
    };
    (!agrees).then(|| format!("{actual:?}\n      answered: {answer}"))
}
