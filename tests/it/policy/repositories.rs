//! Configuration mode over whole trees of modules: each is judged by a rule about everything that it writes.
//! `TERRASCHEMA_MODULES=DIR` names another tree; `-- --nocapture` shows how much was known.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use module::{BlockContent, Mode, Module, inputs::InputRequest};
use policy::{GivenContexts, GovernedModule};
use release::{Product, Wanted};
use system::{EntryKind, OsSystem, System as _};
use testkit::unpacked::unpacked;
use tf_eval::{Limits, Meter};

/// What was found of the arguments and types of blocks of all objects.
#[derive(Debug, Default)]
struct Shares {
    modules: usize,
    /// Modules with errors, or with calls that cannot be followed.
    not_whole: usize,
    objects: usize,
    /// Their values are known, and fail.
    known: usize,
    /// Nothing is written, which fails.
    unwritten: usize,
    unknown: usize,
    /// How many instances there are is not known.
    uncounted: usize,
}

/// A rule that nothing passes, about each argument that the module writes, by type.
fn rules(module: &Module) -> String {
    let mut names: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for it in module.resources.values() {
        let kind = match it.mode {
            Mode::Managed => "resource",
            Mode::Data => "data",
            Mode::Ephemeral => "ephemeral",
        };
        let names = names.entry((kind, &it.ty)).or_default();
        names.extend(it.body.arguments.iter().map(|it| it.name.name.as_str()));
        names.extend(it.body.blocks.iter().map(|it| match &it.content {
            BlockContent::Plain(_) => it.kind.name.as_str(),
            BlockContent::Dynamic(it) => it.kind.as_str(),
        }));
    }
    let mut rules = String::from(
        "rule \"other\" {\n  module \"*\" {\n    source = required\n  }\n  variable \"*\" {\n    type = required\n  }\n  \
         output \"*\" {\n    description = required\n  }\n  provider \"*\" {}\n  terraform {\n    required_version = required\n  }\n}\n",
    );
    for (at, ((kind, ty), names)) in names.iter().enumerate() {
        let mut body = String::new();
        for name in names {
            writeln!(body, "    {name} = \"no value is like this\"").unwrap();
        }
        writeln!(rules, "rule \"r-{at}\" {{\n  {kind} \"{ty}\" {{\n{body}  }}\n}}").unwrap();
    }
    rules
}

fn judge(dir: &Path, shares: &mut Shares) {
    let Ok((module, _)) = module::load(&OsSystem, dir, &module::LoadOptions::default()) else {
        return;
    };
    let meter = Meter::new(Limits::default());
    let rules = rules(&module);
    let files = vec![("a.rules.hcl".to_owned(), Arc::from(rules.as_bytes()))];
    let (policy, problems) = policy::read(files, &GivenContexts::default(), &meter);
    assert_eq!(problems.len(), 0, "{}\n{problems:#?}", dir.display());
    let mut configuration =
        GovernedModule::read(&OsSystem, dir, Wanted::default(), &meter).unwrap();
    let request = InputRequest { dir: dir.to_owned(), auto_files: true, ..InputRequest::default() };
    let judged = configuration.judge(&policy, &request);
    assert!(!meter.is_exhausted(), "{}", dir.display());
    // What is not judged as a whole says so.
    let errors = judged.findings.iter().filter(|it| !it.rule.as_str().starts_with("policy/"));
    assert!(errors.count() == 0 || !judged.failures.is_empty(), "{}", dir.display());
    shares.not_whole += usize::from(!judged.failures.is_empty());
    shares.modules += 1;
    shares.objects += judged.objects;
    for it in judged.findings.iter().filter(|it| it.rule.as_str().starts_with("policy/r-")) {
        assert!(
            !it.locations.is_empty() && !it.locations[0].file.ends_with(".rules.hcl"),
            "{it:?}"
        );
        let share = match it.level.as_str() {
            "error" if it.message.contains("found nothing written here") => &mut shares.unwritten,
            "error" => &mut shares.known,
            _ if it.message.contains("its instances are known only") => &mut shares.uncounted,
            _ => &mut shares.unknown,
        };
        *share += 1;
    }
}

fn below(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = OsSystem.list(dir) else { return };
    if entries.iter().any(|it| module::is_module_file(&it.name, Product::Terraform)) {
        found.push(dir.to_owned());
    }
    for it in entries.iter().filter(|it| it.kind == EntryKind::Directory) {
        if !it.name.starts_with('.') {
            below(&dir.join(&it.name), found);
        }
    }
}

#[test]
fn every_module_of_a_tree_is_judged() {
    let root = env::var_os("TERRASCHEMA_MODULES").map(PathBuf::from);
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots = root.map_or_else(
        || vec![here.join("examples"), here.join("tests/data/policy"), unpacked("trees")],
        |it| vec![it],
    );
    let mut dirs = Vec::new();
    roots.iter().for_each(|it| below(it, &mut dirs));
    let mut shares = Shares::default();
    dirs.iter().for_each(|it| judge(it, &mut shares));
    eprintln!("{shares:?}");
    assert!(shares.modules >= 10 && shares.known > 0, "{shares:?}");
}
