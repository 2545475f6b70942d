//! Rules about the code base itself, so that `cargo test` is the whole of CI.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

mod closures;
mod imports;

use closures::Closures;
use imports::{Imports, Module};

const MAX_LINES: usize = 800;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// The layers, lowest first, as `src/lib.rs` lists them.
fn layers() -> Vec<String> {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let names = text.lines().filter_map(|it| it.trim_start_matches("pub ").strip_prefix("mod "));
    names.map(|it| it.trim_end_matches(';').to_owned()).collect()
}

#[test]
fn modules_only_depend_downwards() {
    let layers = layers();
    let mut found = Vec::new();
    for (height, layer) in layers.iter().enumerate() {
        for file in files_of_layer(layer) {
            let mut named = Vec::new();
            collect_crate_modules(&mut named, fs::read_to_string(&file).unwrap().parse().unwrap());
            for above in &layers[height + 1..] {
                if named.iter().any(|it| it == above) {
                    found.push(format!("{}: `{layer}` must not know `{above}`", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// The one file of the reader that its forms may call back.
const DISPATCHER: &str = "condition::expressions";

/// What the dispatcher calls and what reads through it; nothing else of `condition` may be in its circle.
const READER: &[&str] =
    &["common_type", "expressions", "functions", "identities", "outcomes", "types"];

#[test]
fn conditions_import_one_another_one_way() {
    let imports = Imports::of(&sources_of("condition"));
    let count = imports.iter().count();
    assert!(count > 300, "{count} imports are too few to be all");
    let circle = imports.circle(&module(DISPATCHER));
    assert!(circle.is_none(), "a circle: {}", names(circle.unwrap_or_default()));
}

#[test]
fn only_the_reader_of_conditions_calls_back() {
    let sources = sources_of("condition");
    let around = Imports::of(&sources).around(&module(DISPATCHER));
    assert!(around.len() > 30, "{around:?}");
    let others: Vec<Module> =
        around.into_iter().filter(|it| !READER.contains(&it[1].as_str())).collect();
    assert!(others.is_empty(), "no part of the reader: {}", names(others));
    // Else whatever it hands on would be exempt, too.
    assert!(!sources[&module(DISPATCHER)].contains("pub use"), "{DISPATCHER} hands things on");
}

/// A loss that no code reports is a sentence about nothing.
#[test]
fn every_reason_of_a_loss_is_given_somewhere() {
    let home = "src/sets/reason.rs";
    let file: syn::File = syn::parse_file(&fs::read_to_string(home).unwrap()).unwrap();
    let variants = file.items.iter().filter_map(|it| match it {
        syn::Item::Enum(it) if it.ident == "Reason" => Some(&it.variants),
        _ => None,
    });
    let variants: Vec<String> = variants.flatten().map(|it| it.ident.to_string()).collect();
    assert!(variants.len() > 90, "{} reasons are too few to be all", variants.len());
    let files = layers().iter().flat_map(|it| files_of_layer(it)).collect::<Vec<_>>();
    let files = files.iter().filter(|it| !it.ends_with(home));
    let texts: String = files.map(|it| fs::read_to_string(it).unwrap()).collect();
    let given: Vec<&str> = texts
        .split("Reason::")
        .map(|it| it.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default())
        .collect();
    let silent: Vec<_> = variants.iter().filter(|it| !given.contains(&it.as_str())).collect();
    assert!(silent.is_empty(), "never given: {silent:?}");
}

/// The form whose meaning the room behind it has.
const CALLS: &str = "condition::expressions::call";

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
    let imports = Imports::of(&sources_of("condition"));
    let between = imports.iter().filter(|(from, to)| {
        from.len() > 1 && **to != module(DISPATCHER) && **from != module(CALLS)
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
    let mut sources = sources_of("check");
    // It declares the others and hands them on.
    sources.remove(&module("check"));
    let imports = Imports::of(&sources);
    let subject = module("check::subject");
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

fn sources_of(layer: &str) -> BTreeMap<Module, String> {
    let source = |file: PathBuf| {
        let path = file.strip_prefix("src").unwrap().with_extension("");
        let mut name: Module =
            path.components().map(|it| it.as_os_str().to_str().unwrap().to_owned()).collect();
        name.pop_if(|it| it == "mod");
        (name, fs::read_to_string(&file).unwrap())
    };
    files_of_layer(layer).into_iter().map(source).collect()
}

fn module(name: &str) -> Module {
    name.split("::").map(str::to_owned).collect()
}

fn names(modules: Vec<Module>) -> String {
    let names: Vec<String> = modules.into_iter().map(|it| it.join("::")).collect();
    names.join(", ")
}

#[test]
fn every_module_has_a_layer() {
    let layers = layers();
    for entry in fs::read_dir("src").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let known = layers.contains(&name) || ["lib", "main", "bin"].contains(&name.as_str());
        assert!(known, "`src/{name}` stands in no layer");
    }
}

#[test]
fn the_architecture_page_names_every_layer_in_order() {
    let page = fs::read_to_string("docs/architecture.md").unwrap();
    let mut rest = page.as_str();
    for layer in layers() {
        let row = format!("| `{layer}` |");
        let at = rest.find(&row).unwrap_or_else(|| panic!("no row {row} in its place"));
        rest = &rest[at + row.len()..];
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut found = Vec::new();
    let exceptions: BTreeMap<_, _> = LONG_FILES.iter().copied().collect();
    for file in rust_files(Path::new("src")) {
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

/// Words so general that a second type of the name would be taken for the first.
const GENERAL_NAMES: [&str; 5] = ["Place", "Step", "Kind", "Context", "Reader"];

#[test]
fn a_general_name_is_one_type_only() {
    let mut declared: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in rust_files(Path::new("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let words: Vec<&str> = text.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
        for pair in words.windows(2) {
            let name = GENERAL_NAMES.into_iter().find(|it| *it == pair[1]);
            if let Some(name) = name
                && ["struct", "enum", "union", "trait", "type"].contains(&pair[0])
            {
                declared.entry(name).or_default().push(file.display().to_string());
            }
        }
    }
    assert!(declared.len() > 2, "{declared:?} are too few to be all");
    declared.retain(|_, files| files.len() > 1);
    assert!(declared.is_empty(), "name the others for what they are: {declared:?}");
}

fn closures_of_all_layers() -> Closures {
    let mut closures = Closures::default();
    for file in layers().iter().flat_map(|it| files_of_layer(it)) {
        closures.visit_file(&syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap());
    }
    closures
}

/// Else a reader has to find out which `it` is meant.
#[test]
fn no_closure_that_takes_it_stands_in_another() {
    let Closures { taking_it, nested, .. } = closures_of_all_layers();
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
    let one_letter = closures_of_all_layers().one_letter;
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
    for file in rust_files(Path::new("src")) {
        let text = fs::read_to_string(&file).unwrap();
        for mark in marks {
            assert!(!text.contains(mark), "{}: {mark}", file.display());
        }
    }
}

/// Finds `x` in `crate::x`, and `x` and `y` in `crate::{x, y::z}`, also inside macros.
fn collect_crate_modules(acc: &mut Vec<String>, tokens: TokenStream) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            collect_crate_modules(acc, group.stream());
        }
        if tree.to_string() != "crate" {
            continue;
        }
        match trees.get(n + 3) {
            Some(TokenTree::Ident(module)) => acc.push(module.to_string()),
            Some(TokenTree::Group(group)) => collect_list_heads(acc, group.stream()),
            _ => (),
        }
    }
}

fn collect_list_heads(acc: &mut Vec<String>, list: TokenStream) {
    let mut at_head = true;
    for tree in list {
        if at_head {
            acc.push(tree.to_string());
        }
        at_head = tree.to_string() == ",";
    }
}

fn files_of_layer(layer: &str) -> Vec<PathBuf> {
    let file = PathBuf::from(format!("src/{layer}.rs"));
    if file.is_file() { vec![file] } else { rust_files(&Path::new("src").join(layer)) }
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
