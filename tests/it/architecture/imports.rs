//! Which module imports which, as the paths in the code show: `use` trees, and paths written out.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The segments of a module's path below the crate.
pub type Module = Vec<String>;

/// For each module those that it names.
pub struct Imports(BTreeMap<Module, BTreeSet<Module>>);

/// A path as it is written, and the name that a `use` gives it.
struct Path {
    segments: Vec<String>,
    name: Option<String>,
}

impl Imports {
    /// Of sources by their modules. A path to an item counts for the module in which the path ends,
    /// which for an item that is handed on is the one that hands it on.
    pub fn of(sources: &BTreeMap<Module, String>) -> Imports {
        let modules: BTreeSet<&Module> = sources.keys().collect();
        let graph = sources.iter().map(|(module, text)| {
            let mut paths = Vec::new();
            collect(&mut paths, text.parse().unwrap());
            // A module that is imported by its name may be gone on from.
            let mut known = BTreeMap::new();
            for path in &paths {
                if let (Some(name), Some(it)) =
                    (&path.name, absolute(module, &path.segments, &known))
                    && modules.contains(&it)
                {
                    known.insert(name.clone(), it);
                }
            }
            for child in modules.iter().filter(|it| it.len() == module.len() + 1) {
                if let Some(name) = child.strip_prefix(module.as_slice()) {
                    known.insert(name.concat(), (*child).clone());
                }
            }
            let named = paths.iter().filter_map(|it| absolute(module, &it.segments, &known));
            let found = named.filter_map(|it| {
                let ends = (1..=it.len()).rev().map(|end| it[..end].to_vec());
                ends.into_iter().find(|it| modules.contains(it))
            });
            (module.clone(), found.filter(|it| it != module).collect())
        });
        Imports(graph.collect())
    }

    /// Each with the one that it imports.
    pub fn iter(&self) -> impl Iterator<Item = (&Module, &Module)> {
        self.0.iter().flat_map(|(module, named)| named.iter().map(move |it| (module, it)))
    }

    /// Modules that import one another, in a row, except for imports of `exempt`.
    pub fn circle(&self, exempt: &Module) -> Option<Vec<Module>> {
        let mut done = BTreeSet::new();
        self.0.keys().find_map(|it| self.circle_from(it, exempt, &mut Vec::new(), &mut done))
    }

    fn circle_from(
        &self,
        module: &Module,
        exempt: &Module,
        way: &mut Vec<Module>,
        done: &mut BTreeSet<Module>,
    ) -> Option<Vec<Module>> {
        if let Some(start) = way.iter().position(|it| it == module) {
            return Some(way[start..].to_vec());
        }
        if module == exempt || !done.insert(module.clone()) {
            return None;
        }
        way.push(module.clone());
        let found = self.0[module].iter().find_map(|it| self.circle_from(it, exempt, way, done));
        way.pop();
        found
    }

    /// The modules that import a module and are imported by it, directly or not.
    pub fn around(&self, module: &Module) -> BTreeSet<Module> {
        let mut below = BTreeSet::new();
        self.reach(module, &mut below);
        let is_above = |it: &Module| {
            let mut found = BTreeSet::new();
            self.reach(it, &mut found);
            found.contains(module)
        };
        below.into_iter().filter(is_above).collect()
    }

    fn reach(&self, module: &Module, found: &mut BTreeSet<Module>) {
        for it in &self.0[module] {
            if found.insert(it.clone()) {
                self.reach(it, found);
            }
        }
    }
}

/// A path from the crate's root; `None` where it begins with something else than a module.
fn absolute(
    module: &Module,
    segments: &[String],
    known: &BTreeMap<String, Module>,
) -> Option<Module> {
    let (first, rest) = segments.split_first()?;
    let mut out = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module[..module.len() - 1].to_vec(),
        name => known.get(name)?.clone(),
    };
    for segment in rest {
        match segment.as_str() {
            "super" => drop(out.pop()),
            "self" | "*" => (),
            name => out.push(name.to_owned()),
        }
    }
    Some(out)
}

/// Every path of at least two segments, trees of `use` taken apart.
fn collect(acc: &mut Vec<Path>, tokens: TokenStream) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        if is_ident(trees.get(at), "use") {
            let end = trees[at..].iter().position(|it| it.to_string() == ";").unwrap();
            uses(acc, &[], &trees[at + 1..at + end]);
            at += end;
        }
        match &trees[at] {
            TokenTree::Group(group) => collect(acc, group.stream()),
            TokenTree::Ident(_) => {
                let (segments, next) = path(&trees, at);
                if segments.len() > 1 {
                    acc.push(Path { segments, name: None });
                }
                at = next;
                continue;
            }
            _ => (),
        }
        at += 1;
    }
}

fn uses(acc: &mut Vec<Path>, before: &[String], tree: &[TokenTree]) {
    let (mut segments, next) = path(tree, 0);
    segments.splice(0..0, before.iter().cloned());
    match tree.get(next) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            for tree in inner.split(|it| it.to_string() == ",").filter(|it| !it.is_empty()) {
                uses(acc, &segments, tree);
            }
        }
        _ => {
            let renamed = is_ident(tree.get(next), "as").then(|| tree[next + 1].to_string());
            let last = segments.iter().rev().find(|it| *it != "self").cloned();
            acc.push(Path { segments, name: renamed.or(last) });
        }
    }
}

/// The segments of the path that begins here, and where it ends: behind its last `::` where a tree
/// follows.
fn path(trees: &[TokenTree], start: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    let mut at = start;
    while let Some(TokenTree::Ident(it)) = trees.get(at) {
        segments.push(it.to_string());
        at += 1;
        if !(is_colon(trees.get(at)) && is_colon(trees.get(at + 1))) {
            break;
        }
        at += 2;
    }
    (segments, at)
}

fn is_colon(tree: Option<&TokenTree>) -> bool {
    tree.is_some_and(|it| it.to_string() == ":")
}

fn is_ident(tree: Option<&TokenTree>, text: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(it)) if *it == text)
}
