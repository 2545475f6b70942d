//! Rules about the code base itself, so that `cargo test` is the whole of CI.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::visit::Visit;

mod closures;
mod imports;
mod public_types;

use closures::Closures;
use imports::{Imports, Module};
use public_types::PublicTypes;

const MAX_LINES: usize = 800;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] =
    &[("crates/testkit/src/bombs/cases.rs", "one list: a part of it would be no idea of its own")];

/// The crates of the workspace, lowest first, as its manifest lists them.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let (_, list) = manifest.split_once("[workspace.dependencies]\n").unwrap();
    let names = list.lines().take_while(|it| it.contains("path = \"crates/"));
    names.map(|it| it.split(' ').next().unwrap().to_owned()).collect()
}

/// Cargo refuses circles; this is about the order that the manifest and the architecture page show.
#[test]
fn crates_depend_on_those_listed_before_them() {
    let crates = crates();
    let directories = fs::read_dir("crates").unwrap().map(|it| it.unwrap().file_name());
    let directories: BTreeSet<_> = directories.map(|it| it.into_string().unwrap()).collect();
    assert_eq!(crates.iter().cloned().collect::<BTreeSet<_>>(), directories);
    let mut found = Vec::new();
    for (height, name) in crates.iter().enumerate() {
        let dependencies = dependencies(name);
        let above = crates[height..].iter().filter(|it| dependencies.contains(it.as_str()));
        found.extend(above.map(|it| format!("`{name}` depends on `{it}`")));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// The packages that a crate names as dependencies. (Tests depend on `testkit`, which depends on everything.)
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = fs::read_to_string(format!("crates/{name}/Cargo.toml")).unwrap();
    let sections = manifest.split("\n[").filter(|it| {
        it.split(']').next().is_some_and(|head| head.split('.').next_back() == Some("dependencies"))
    });
    let lines = sections.flat_map(str::lines);
    lines.filter_map(|it| it.strip_suffix(".workspace = true")).map(str::to_owned).collect()
}

/// Crates that do not know one another, not even through others: the judge needs no schema, a schema needs no judge,
/// and a check needs no language of rules.
const APART: &[(&str, &str)] = &[
    ("verdict", "projection"),
    ("projection", "verdict"),
    ("report", "policy"),
    ("config", "policy"),
    ("check", "policy"),
];

#[test]
fn what_is_apart_is_connected_by_nothing() {
    let crates = crates();
    for (from, to) in APART {
        let mut reached = BTreeSet::new();
        let mut next = vec![(*from).to_owned()];
        while let Some(name) = next.pop() {
            let own = dependencies(&name).into_iter().filter(|it| crates.contains(it));
            next.extend(own.filter(|it| reached.insert(it.clone())));
        }
        assert!(reached.contains("diagnostics"), "`{from}` depends on some: {reached:?}");
        assert!(!reached.contains(*to), "`{from}` depends on `{to}`: {reached:?}");
    }
}

/// The one file of the reader that its forms may call back.
const DISPATCHER: &str = "condition::expressions";

/// What the dispatcher calls and what reads through it; nothing else of `condition` may be in its circle.
const READER: &[&str] = &["expressions", "functions", "identities", "outcomes", "types"];

#[test]
fn conditions_import_one_another_one_way() {
    let imports = Imports::of(&sources_of("projection", "condition"));
    let count = imports.iter().count();
    assert!(count > 150, "{count} imports are too few to be all");
    let circle = imports.circle(&module(DISPATCHER));
    assert!(circle.is_none(), "a circle: {}", names(circle.unwrap_or_default()));
}

#[test]
fn only_the_reader_of_conditions_calls_back() {
    let sources = sources_of("projection", "condition");
    let around = Imports::of(&sources).around(&module(DISPATCHER));
    assert!(around.len() > 10, "{around:?}");
    let others: Vec<Module> =
        around.into_iter().filter(|it| !READER.contains(&it[1].as_str())).collect();
    assert!(others.is_empty(), "no part of the reader: {}", names(others));
    // Else whatever it hands on would be exempt, too.
    assert!(!sources[&module(DISPATCHER)].contains("pub use"), "{DISPATCHER} hands things on");
}

/// A loss that no code reports is a sentence about nothing.
#[test]
fn every_reason_of_a_loss_is_given_somewhere() {
    let home = "crates/projection/src/sets/region.rs";
    let file: syn::File = syn::parse_file(&fs::read_to_string(home).unwrap()).unwrap();
    let variants = file.items.iter().filter_map(|it| match it {
        syn::Item::Enum(it) if it.ident == "Reason" => Some(&it.variants),
        _ => None,
    });
    let variants: Vec<String> = variants.flatten().map(|it| it.ident.to_string()).collect();
    assert!(variants.len() > 90, "{} reasons are too few to be all", variants.len());
    let files = sources();
    let files = files.iter().filter(|it| !it.ends_with(home));
    let texts: String = files.map(|it| fs::read_to_string(it).unwrap()).collect();
    let given: Vec<&str> = texts
        .split("Reason::")
        .map(|it| it.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default())
        .collect();
    let silent: Vec<_> = variants.iter().filter(|it| !given.contains(&it.as_str())).collect();
    assert!(silent.is_empty(), "never given: {silent:?}");
}

#[test]
fn the_rooms_of_conditions_stand_in_the_order_of_their_page() {
    let page = fs::read_to_string("docs/conditions.md").unwrap();
    let (_, section) = page.split_once("\n## The rooms\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter_map(|it| it.strip_prefix("| `")?.split(" |").next());
    let mut height = BTreeMap::new();
    for (at, row) in rows.enumerate() {
        height.extend(row.split(", ").map(|it| (it.trim_matches(['`', '/']), at)));
    }
    let imports = Imports::of(&sources_of("projection", "condition"));
    let between = imports.iter().filter(|(from, to)| {
        // It reads calls, whose meaning the room behind it has.
        from.len() > 1 && **to != module(DISPATCHER) && **from != module(DISPATCHER)
    });
    for (from, to) in between {
        let [above, below] = [from, to].map(|it| height.get(it[1].as_str()));
        assert!(
            above.is_some() && below.is_some(),
            "no row: {}",
            names(vec![from.clone(), to.clone()])
        );
        assert!(above >= below, "upwards: {}", names(vec![from.clone(), to.clone()]));
    }
}

#[test]
fn the_subject_of_a_check_stands_in_no_circle() {
    let mut sources = sources_of("check", "");
    // It declares the others and hands them on.
    sources.remove(&Module::new());
    let imports = Imports::of(&sources);
    let subject = module("subject");
    let named = imports.iter().filter(|(from, _)| **from == subject).count();
    let naming = imports.iter().filter(|(_, to)| **to == subject).count();
    assert!(named > 0 && naming > 3, "it names {named}, {naming} name it");
    let around = imports.around(&subject);
    assert!(around.is_empty(), "{}", names(around.into_iter().collect()));
}

#[test]
fn a_circle_of_imports_is_found_however_it_is_written() {
    let circle = |sources: &[(&str, &str)]| {
        let sources = sources.iter().map(|(name, text)| (module(name), (*text).to_owned()));
        let circle = Imports::of(&sources.collect()).circle(&module("a::exempt"));
        circle.map(names)
    };
    let both = Some("a::x, a::y".to_owned());
    let back = ("a::y", "use crate::{other, a::x::{self, f}};");
    for text in [
        "use super::y::g;",
        "use crate::{sets::{Leaf, Region}, a::{y, z}};",
        "pub use super::y::{g as h};",
        "fn f() -> u8 { [1].map(|_| super::y::g()); 0 }",
        "fn f() { println!(\"{}\", crate::a::y::LIMIT); }",
        "use super::super::a; fn f() { a::y::g() }",
        "use crate::a as b; fn f(it: b::y::Type) {}",
    ] {
        assert_eq!(circle(&[("a", ""), ("a::x", text), back, ("a::z", "")]), both, "{text}");
    }
    for text in [
        "",
        "use super::z::{y, x};",
        "use other::a::y;",
        "fn f(y: u8) { self.y; y(super::z::y); other::y::g() }",
        "// super::y::g",
        "const A: &str = \"super::y::g\";",
    ] {
        assert_eq!(circle(&[("a", ""), ("a::x", text), back, ("a::z", "")]), None, "{text}");
    }
    // What a directory's own file uses of its children, they must not ask back.
    let parent = ("a", "mod x; pub use x::Item;");
    assert_eq!(circle(&[parent, ("a::x", "use super::Item;")]), Some("a, a::x".to_owned()));
    assert_eq!(
        circle(&[("a", "mod x; fn f() { x::g() }"), ("a::x", "use super::f;")]),
        Some("a, a::x".to_owned())
    );
    assert_eq!(circle(&[("a", "mod x;"), ("a::x", "use super::f;")]), None);
    // Nothing but imports of the exempt module itself is let through.
    let exempt = ("a::exempt", "use super::x;");
    assert_eq!(circle(&[("a", ""), exempt, ("a::x", "fn f() { super::exempt::g() }")]), None);
    let beside =
        [("a", ""), exempt, ("a::x", "use super::{exempt, y};"), ("a::y", "use super::x;")];
    assert_eq!(circle(&beside), both);
}

/// The files of a crate below a directory of its sources, by their modules.
fn sources_of(name: &str, directory: &str) -> BTreeMap<Module, String> {
    let root = PathBuf::from(format!("crates/{name}/src"));
    let source = |file: PathBuf| {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let mut module: Module =
            path.components().map(|it| it.as_os_str().to_str().unwrap().to_owned()).collect();
        module.pop_if(|it| it == "mod" || it == "lib");
        (module, fs::read_to_string(&file).unwrap())
    };
    rust_files(&root.join(directory)).into_iter().map(source).collect()
}

/// Every source of the programs and the crates.
fn sources() -> Vec<PathBuf> {
    let mut files = rust_files(Path::new("src"));
    for name in crates() {
        files.extend(rust_files(&Path::new("crates").join(name).join("src")));
    }
    assert!(files.len() > 300, "{} files are too few to be all", files.len());
    files
}

fn module(name: &str) -> Module {
    name.split("::").map(str::to_owned).collect()
}

fn names(modules: Vec<Module>) -> String {
    let names: Vec<String> = modules.into_iter().map(|it| it.join("::")).collect();
    names.join(", ")
}

#[test]
fn the_architecture_page_lists_every_crate_in_order() {
    let page = fs::read_to_string("docs/architecture.md").unwrap();
    let mut rest = page.as_str();
    for name in crates() {
        let row = format!("| `{name}` |");
        let at = rest.find(&row).unwrap_or_else(|| panic!("no row {row} in its place"));
        rest = &rest[at + row.len()..];
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut found = Vec::new();
    let exceptions: BTreeMap<_, _> = LONG_FILES.iter().copied().collect();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.to_str().unwrap().replace('\\', "/");
        let lines = text.lines().count();
        if !text.starts_with("//!") {
            found.push(format!("{name}: begin with a //! line"));
        }
        match exceptions.get(name.as_str()) {
            None if lines > MAX_LINES => found.push(format!("{name}: {lines} lines")),
            Some(_) if lines <= MAX_LINES => found.push(format!("{name}: no exception any more")),
            _ => (),
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// A reader who sees a name should know which type it is. The plugin is left out: its public types are the messages of
/// tflint's protocol, under the names of its definition.
#[test]
fn no_two_crates_have_a_public_type_of_one_name() {
    let mut public: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in crates().into_iter().filter(|it| it != "tflint-ruleset") {
        let mut types = PublicTypes::default();
        types.visit_file_of_module(Path::new(&format!("crates/{name}/src/lib.rs")));
        for it in types.declared.intersection(&types.exported) {
            public.entry(it.clone()).or_default().insert(name.clone());
        }
    }
    assert!(public.len() > 300, "{} are too few to be all", public.len());
    let shared: Vec<String> = public
        .iter()
        .filter(|it| it.1.len() > 1)
        .map(|(name, crates)| format!("{name}: {crates:?}"))
        .collect();
    assert!(shared.is_empty(), "name each for what it is:\n{}", shared.join("\n"));
}

fn all_closures() -> Closures {
    let mut closures = Closures::default();
    for file in sources() {
        closures.visit_file(&syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap());
    }
    closures
}

/// Else a reader has to find out which `it` is meant.
#[test]
fn no_closure_that_takes_it_stands_in_another() {
    let Closures { taking_it, nested, .. } = all_closures();
    assert!(taking_it > 2000, "{taking_it} closures are too few to be all");
    assert!(nested.is_empty(), "name what the outer one takes:\n{}", nested.join("\n"));
    let nested = Closures::of("a(|it| b(|x, it: T| c(|x| it)))").nested;
    assert_eq!(nested, ["| x , it : T | c (| x | it)"]);
    for inner in ["|(name, it)| x", "|&it| x", "|S { a: Some([.., it]) }| x", "|S { it, .. }| x"] {
        assert_eq!(Closures::of(&format!("a(|(it, _)| b({inner}))")).nested.len(), 1, "{inner}");
        assert_eq!(Closures::of(&format!("a(|x| b({inner}))")).nested.len(), 0, "{inner}");
    }
}

/// A letter says nothing, except where two of a kind are compared.
#[test]
fn no_closure_takes_one_letter() {
    let one_letter = all_closures().one_letter;
    assert!(one_letter.is_empty(), "name it:\n{}", one_letter.join("\n"));
    for (closure, count) in [
        ("|n| n + 1", 1),
        ("|(n, text)| n", 1),
        ("|a| a", 1),
        ("|a, b| a.cmp(b)", 0),
        ("|_, it| it", 0),
        ("|text| |c| c", 1),
    ] {
        assert_eq!(Closures::of(closure).one_letter.len(), count, "{closure}");
    }
}

#[test]
fn nothing_is_left_to_do_in_the_code() {
    // Spelled in two halves so that this file does not find itself.
    let marks = [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("FIX", "ME")];
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for mark in marks {
            assert!(!text.contains(mark), "{}: {mark}", file.display());
        }
    }
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// There are two binaries; without a default `cargo run -- check …`, the README's first command,
/// would run neither.
#[test]
fn cargo_run_runs_the_command() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    assert!(manifest.lines().any(|it| it == "default-run = \"terraschema\""));
}
