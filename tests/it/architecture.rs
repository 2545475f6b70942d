//! Rules about the code base itself, so that `cargo test` is the whole of CI.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};

const MAX_LINES: usize = 400;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// The layers, lowest first, as `src/lib.rs` lists them.
fn layers() -> Vec<String> {
    let text = fs::read_to_string("src/lib.rs").unwrap();
    let names = text.lines().filter_map(|it| it.strip_prefix("pub mod "));
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
