//! What runs of `check` share: the same is found as by a run alone.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use diagnostics::Level;
use system::{MemorySystem, System, forward};
use verdict::tree::KeptModules;

#[test]
fn runs_that_share_modules_report_what_a_run_alone_does() {
    let root =
        |more: &str| format!("module \"m\" {{\n  source = \"../m\"\n  size   = \"a\"\n{more}}}\n");
    let roots = [root(""), root("  more = 1\n"), "module \"m\" {\n".to_owned()];
    let called = [
        "variable \"size\" {\n  type = number\n}\n",
        "variable \"size\" {\n  type = string\n  validation {\n    condition = length(var.size) > 1\n    error_message = \"Long.\"\n  }\n}\n",
        "variable \"size\" {\n",
    ];
    let further =
        [None, Some("variable \"more\" {\n  type = bool\n}\n"), Some("variable \"size\" {}\n")];
    let kept = Some(Arc::new(KeptModules::new(200)));
    let mut seen = HashSet::new();
    for round in 0..2 * 27 {
        let at = round * 7 % 27;
        let mut system = MemorySystem::new()
            .file("/r/a/main.tf", roots[at % 3].as_str())
            .file("/r/m/main.tf", called[at / 3 % 3])
            .working_in("/r");
        if let Some(text) = further[at / 9] {
            let name = if round < 27 { "/r/m/more.tf" } else { "/r/m/more_override.tf" };
            system = system.file(name, text);
        }
        let run = |kept_modules| {
            let request = check::CheckRequest { kept_modules, ..check::CheckRequest::default() };
            format!("{:?}", check::run(&request, &system).unwrap().findings)
        };
        let alone = run(None);
        assert_eq!(run(kept.clone()), alone, "{at}");
        seen.insert(alone);
    }
    assert!(seen.len() > 20, "the files hardly matter: {}", seen.len());
}

/// The judge of a module outlives a run, with what it found with every input: files that expressions read, called
/// modules, budgets.
#[test]
fn runs_that_share_a_judge_report_what_a_run_alone_does() {
    let root = "variable \"size\" {\n  type = number\n  validation {\n    condition     = var.size > 1\n    \
        error_message = \"More.\"\n  }\n}\nlocals {\n  limit = tonumber(file(\"limit.txt\"))\n}\nmodule \"m\" {\n  source = \"../m\"\n  least  = local.limit\n  size   = var.size\n}\noutput \
        \"o\" {\n  value = fileexists(\"more.txt\") ? module.m.o : local.none\n}\n";
    let called = ["", "  validation {\n    condition     = var.least < 3\n    error_message = \"Less.\"\n  }\n"]
        .map(|rule| format!("variable \"least\" {{\n  type = number\n{rule}}}\nvariable \"size\" {{}}\noutput \"o\" {{\n  value = var.size\n}}\n"));
    let limits = [None, Some("2"), Some("7"), Some("x")];
    // Where files are listed, no pass with values is kept.
    let roots =
        [root.to_owned(), format!("{root}locals {{\n  all = fileset(\".\", \"*.txt\")\n}}\n")];
    let values = ["size = 1\n", "size = 2\n", "size = \"a\"\n", "size = [\n"];
    let kept = Some(Arc::new(KeptModules::new(10_000)));
    let mut seen = HashSet::new();
    for round in 0..128 {
        let at = round * 5 % 64;
        let mut system = MemorySystem::new()
            .file("/r/a/main.tf", roots[usize::from(round % 9 == 0)].as_str())
            .file("/r/a/prod.tfvars", values[at % 4])
            .file("/r/m/main.tf", called[at / 4 % 2].as_str())
            .working_in("/r");
        if let Some(text) = limits[at / 8 % 4] {
            system = system.file("/r/a/limit.txt", text);
        }
        if at / 32 == 1 {
            system = system.file("/r/a/more.txt", "");
        }
        // Some of the budgets end in the middle.
        let max_work = [None, Some(60_000), Some(20_000)][round / 43];
        let run = |kept_modules| {
            let limits = config::LimitSettings { max_work, ..config::LimitSettings::default() };
            let flags = config::Config { limits, ..config::Config::default() };
            let request =
                check::CheckRequest { kept_modules, flags, ..check::CheckRequest::default() };
            let report = check::run(&request, &system).unwrap();
            (format!("{:?}", report.findings), report.work)
        };
        let alone = run(None);
        for time in 0..2 {
            assert_eq!(run(kept.clone()), alone, "{round} {time}");
        }
        seen.insert(alone);
    }
    assert!(seen.len() > 20, "the files hardly matter: {}", seen.len());
}

/// What a judge found with one file of values serves the next run in part: whatever is typed, it finds what a run alone
/// finds, and counts the same work.
#[test]
fn runs_that_share_a_judge_report_what_a_run_alone_does_whatever_is_typed() {
    let root = "variable \"n\" {\n  type    = number\n  default = 1\n}\nvariable \"s\" {\n  type      = string\n  \
        sensitive = true\n}\nvariable \"l\" {\n  type    = list(string)\n  default = []\n}\nvariable \"any\" {\n  \
        default = null\n}\nlocals {\n  half = 1 / var.n\n  text = \"${var.s}-${length(var.l)}\"\n}\nmodule \"m\" \
        {\n  source   = \"../m\"\n  for_each = toset(var.l)\n  name     = each.key\n  least    = local.half\n}\n\
        module \"k\" {\n  source = \"../m\"\n  count  = var.n\n  name   = local.text\n}\noutput \"o\" {\n  value \
        = [for it in values(module.m) : it.o]\n}\noutput \"p\" {\n  value = try(var.any.a.b, timestamp())\n}\n\
        check \"c\" {\n  assert {\n    condition     = length(module.k) < 3\n    error_message = \"Many: \
        ${length(module.k)}.\"\n  }\n}\n";
    let called = "variable \"name\" {\n  type = string\n  validation {\n    condition     = length(var.name) > 1\n    \
        error_message = \"Long.\"\n  }\n}\nvariable \"least\" {\n  type    = number\n  default = 3\n}\noutput \
        \"o\" {\n  value = var.least > 0 ? var.name : tostring(1 / var.least)\n  precondition {\n    condition     = \
        var.least < 3\n    error_message = \"Less.\"\n  }\n}\n";
    let lines = [
        ["", "n = 0\n", "n = -0\n", "n = 2\n", "n = 4\n", "n = \"2\"\n", "n = null\n"],
        ["", "s = \"a\"\n", "s = \"\"\n", "s = 1\n", "s = [\n", "s = \"long\"\n", "s = null\n"],
        [
            "",
            "l = [\"a\"]\n",
            "l = [\"aa\", \"b\"]\n",
            "l = []\n",
            "l = [1]\n",
            "l = {}\n",
            "l = [\"bb\", \"aa\"]\n",
        ],
        [
            "",
            "any = 1\n",
            "any = { a = { b = 1 } }\n",
            "any = \"x\"\n",
            "any = []\n",
            "other = 1\n",
            "\n\n",
        ],
    ];
    let kept = Some(Arc::new(KeptModules::new(10_000)));
    let (mut seen, mut state) = (HashSet::new(), 7_u64);
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    // One line changes at a time, in one file of values, and then in one of two.
    let mut typed = [[0; 4]; 2];
    for round in 0..400 {
        let files = 1 + round / 200;
        typed[next(files)][next(4)] = next(7);
        let text = |at: usize| -> String {
            typed[at].iter().zip(lines).map(|(line, lines)| lines[*line]).collect()
        };
        let mut system = MemorySystem::new()
            .file("/r/a/main.tf", root)
            .file("/r/a/prod.tfvars", text(0))
            .file("/r/m/main.tf", called)
            .working_in("/r");
        if files == 2 {
            system = system.file("/r/a/test.tfvars", text(1));
        }
        let run = |kept_modules| {
            let request = check::CheckRequest { kept_modules, ..check::CheckRequest::default() };
            let report = check::run(&request, &system).unwrap();
            // The second file of a run costs what its values change, and the same file in another run less.
            let work = (files == 1).then_some(report.work);
            (format!("{:?}", (report.findings, report.not_judged)), work)
        };
        let alone = run(None);
        let shared = run(kept.clone());
        assert_eq!(shared.0, alone.0, "{round} {typed:?}");
        assert_eq!(shared.1, alone.1, "work: {round} {typed:?}");
        seen.insert(alone);
    }
    assert!(seen.len() > 100, "the values hardly matter: {}", seen.len());
}

/// Files that somebody watches, with the number of their state; counts what is read.
struct WatchedFiles<'a> {
    inner: &'a dyn System,
    state: Option<u64>,
    reads: AtomicUsize,
}

impl System for WatchedFiles<'_> {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.read(path)
    }

    fn state_of(&self, paths: &Arc<HashSet<PathBuf>>) -> Option<u64> {
        assert!(paths.iter().all(|it| it.is_absolute()), "{paths:?}");
        self.state
    }

    forward!(inner: list, kind, canonicalize, replace, create_dir_all, env, env_with_prefix, home_dir, current_dir,
        now);
}

/// What is watched is read once for each state of the files; what nobody watches is read in each run.
#[test]
fn watched_modules_are_read_again_when_something_changed() {
    let system = |ty: &str| {
        MemorySystem::new()
            .file("/r/a/main.tf", "module \"m\" {\n  source = \"../m\"\n  x = \"x\"\n}\n")
            .file("/r/m/main.tf", format!("variable \"x\" {{\n  type = {ty}\n}}\n"))
            .working_in("/r")
    };
    let kept = Some(Arc::new(KeptModules::new(10_000)));
    let run = |ty: &str, state: Option<u64>| {
        let watched = WatchedFiles { inner: &system(ty), state, reads: AtomicUsize::new(0) };
        let request = check::CheckRequest {
            kept_modules: kept.clone(),
            targets: vec!["a".into()],
            ..check::CheckRequest::default()
        };
        let report = check::run(&request, &watched).unwrap();
        let errors = report.findings.iter().filter(|it| it.level == Level::Error).count();
        (errors, watched.reads.into_inner())
    };
    let (errors, first) = run("string", Some(1));
    assert_eq!(errors, 0);
    // The first state in which the files are compared.
    assert_eq!(run("string", Some(1)), (0, first));
    let (errors, trusted) = run("string", Some(1));
    assert!(errors == 0 && trusted < first, "{trusted} of {first}");
    // Nobody has noticed the change yet.
    assert_eq!(run("number", Some(1)), (0, trusted));
    assert_eq!(run("number", Some(2)).0, 1);
    assert_eq!(run("string", None).0, 0);
    assert_eq!(run("number", None).0, 1);
}
