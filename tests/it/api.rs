//! The library's public names and their signatures, as `docs/api.txt` records them: a change of what
//! programs in Rust compile against is seen in review.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use quote::ToTokens;
use similar::TextDiff;
use syn::{
    Fields, ImplItem, Item, ItemImpl, ItemStruct, Signature, TraitItem, UseTree, Visibility,
    parse_file,
};

const RECORDED: &str = "docs/api.txt";

/// The crate that programs use.
const HOME: &str = "terraschema-api";

/// The directory of a crate's sources.
fn sources_of(name: &str) -> PathBuf {
    Path::new("crates").join(name.replace('_', "-")).join("src")
}

#[test]
fn the_public_api_is_the_recorded_one() {
    let mut api = Api { elsewhere: implementations(HOME), ..Api::default() };
    api.module("terraschema_api", &Source::read(&sources_of(HOME).join("lib.rs")));
    assert!(api.lines.len() > 100, "{} lines are too few", api.lines.len());
    let text: String = api.lines.iter().map(|(path, it)| format!("{path}: {it}\n")).collect();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(RECORDED, text).unwrap();
    } else {
        let recorded = fs::read_to_string(RECORDED).unwrap();
        let difference =
            TextDiff::from_lines(&recorded, &text).unified_diff().context_radius(0).to_string();
        assert!(
            text == recorded,
            "UPDATE=1 cargo test --test it -- api rewrites {RECORDED}; the change log names what \
             breaks:\n{difference}"
        );
    }
}

#[test]
fn a_program_compiles_nothing_that_only_the_command_needs() {
    let packages = |package: &str| {
        let cargo = std::process::Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--offline", "--edges=normal", "--prefix=none"])
            .args(["--package", package])
            .output()
            .unwrap();
        assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
        let name = |it: &str| it.split(' ').next().unwrap_or_default().to_owned();
        String::from_utf8(cargo.stdout).unwrap().lines().map(name).collect::<BTreeSet<_>>()
    };
    let of_command =
        ["anyhow", "clap", "clap_complete", "clap_mangen", "git2", "libz-sys", "mimalloc"];
    let (all, library) = (packages("terraschema"), packages("terraschema-api"));
    for package in of_command {
        assert!(all.contains(package), "{package} is no part of the command");
        assert!(!library.contains(package), "{package}");
    }
}

/// A source file, with the directory of the modules inside of it.
struct Source {
    dir: PathBuf,
    items: Vec<Item>,
}

impl Source {
    fn read(path: &Path) -> Source {
        let text = fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
        let is_root = ["mod.rs", "lib.rs"].iter().any(|it| path.ends_with(it));
        let dir = if is_root { path.with_file_name("") } else { path.with_extension("") };
        Source { dir, items: parse_file(&text).unwrap().items }
    }

    fn child(&self, name: &str) -> Source {
        let file = self.dir.join(format!("{name}.rs"));
        Source::read(&if file.exists() { file } else { self.dir.join(name).join("mod.rs") })
    }

    /// The private or public module of the name.
    fn has_child(&self, name: &str) -> bool {
        self.items.iter().any(|it| matches!(it, Item::Mod(it) if it.ident == name))
    }
}

/// What the files of a crate implement for types of other files, by the type's name.
fn implementations(name: &str) -> Rc<BTreeMap<String, Vec<ItemImpl>>> {
    let mut out: BTreeMap<String, Vec<ItemImpl>> = BTreeMap::new();
    let mut pending = vec![sources_of(name)];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|it| it.unwrap().path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let items = Source::read(&path).items;
            for it in items.iter().filter_map(implementation) {
                let Some(name) = of_type(it) else { continue };
                // Its own type of that name is another one.
                if !items.iter().any(|it| name_of(it).is_some_and(|it| it == name)) {
                    out.entry(name).or_default().push(it.clone());
                }
            }
        }
    }
    Rc::new(out)
}

#[derive(Default)]
struct Api {
    /// [`implementations`] of the crate under way.
    elsewhere: Rc<BTreeMap<String, Vec<ItemImpl>>>,
    /// Names with what they are, sorted: the order of files does not count.
    lines: BTreeSet<(String, String)>,
}

impl Api {
    fn line(&mut self, path: &str, text: &str) {
        self.lines.insert((path.to_owned(), text.trim_end().to_owned()));
    }

    /// Whatever the module shows: its own items, and those that it hands on.
    fn module(&mut self, path: &str, source: &Source) {
        for item in &source.items {
            match item {
                Item::Mod(it) if is_public(&it.vis) => {
                    let name = it.ident.to_string();
                    self.module(&format!("{path}::{name}"), &source.child(&name));
                }
                Item::Use(it) if is_public(&it.vis) => self.handed_on(path, source, &it.tree),
                _ => self.item(path, None, item, &source.items),
            }
        }
    }

    fn handed_on(&mut self, path: &str, source: &Source, tree: &UseTree) {
        match tree {
            UseTree::Path(it) if source.has_child(&it.ident.to_string()) => {
                self.handed_on(path, &source.child(&it.ident.to_string()), &it.tree);
            }
            // Of another crate of the workspace.
            UseTree::Path(it) if sources_of(&it.ident.to_string()).exists() => {
                let name = it.ident.to_string();
                let home = std::mem::replace(&mut self.elsewhere, implementations(&name));
                self.handed_on(path, &Source::read(&sources_of(&name).join("lib.rs")), &it.tree);
                self.elsewhere = home;
            }
            UseTree::Group(it) => it.items.iter().for_each(|it| self.handed_on(path, source, it)),
            UseTree::Name(it) => self.named(path, source, &it.ident.to_string(), None),
            UseTree::Rename(it) => {
                self.named(path, source, &it.ident.to_string(), Some(&it.rename.to_string()));
            }
            // From elsewhere.
            other => self.line(path, &format!("use {}", tidy(other))),
        }
    }

    fn named(&mut self, path: &str, source: &Source, name: &str, shown: Option<&str>) {
        let before = self.lines.len();
        for item in &source.items {
            match item {
                Item::Macro(it) if it.mac.tokens.to_string().contains(name) => {
                    self.line(&format!("{path}::{name}"), "made by a macro");
                }
                // Handed on once more.
                Item::Use(it) if named_in(&it.tree, name) => {
                    self.only(path, source, &it.tree, name);
                }
                _ if name_of(item).is_some_and(|it| it == name) => {
                    self.item(path, shown, item, &source.items);
                }
                _ => (),
            }
        }
        assert!(self.lines.len() > before, "{path}: nothing defines {name}");
    }

    /// One name of a `use`.
    fn only(&mut self, path: &str, source: &Source, tree: &UseTree, name: &str) {
        match tree {
            UseTree::Path(it) if source.has_child(&it.ident.to_string()) => {
                self.only(path, &source.child(&it.ident.to_string()), &it.tree, name);
            }
            UseTree::Group(it) => {
                let found = it.items.iter().find(|it| named_in(it, name)).unwrap();
                self.only(path, source, found, name);
            }
            UseTree::Name(_) => self.named(path, source, name, None),
            other => self.line(path, &format!("use {}", tidy(other))),
        }
    }

    /// An item under the name that it is shown by, and its methods from the same file.
    fn item(&mut self, path: &str, shown: Option<&str>, item: &Item, around: &[Item]) {
        let Some(name) = name_of(item) else { return };
        let at = format!("{path}::{}", shown.unwrap_or(&name));
        match item {
            Item::Fn(it) if is_public(&it.vis) => self.line(&at, &signature(&it.sig)),
            Item::Const(it) if is_public(&it.vis) => {
                self.line(&at, &format!("const {}", tidy(&it.ty)));
            }
            Item::Static(it) if is_public(&it.vis) => {
                self.line(&at, &format!("static {}", tidy(&it.ty)));
            }
            Item::Type(it) if is_public(&it.vis) => {
                self.line(&at, &format!("type = {}", tidy(&it.ty)));
            }
            Item::Struct(it) if is_public(&it.vis) => self.structure(&at, it),
            Item::Enum(it) if is_public(&it.vis) => {
                self.line(&at, &format!("enum{}{}", tidy(&it.generics), open(&it.attrs)));
                for variant in &it.variants {
                    let variant_at = format!("{at}::{}", variant.ident);
                    self.line(&variant_at, &format!("variant {}", tidy(&variant.fields)));
                }
            }
            Item::Trait(it) if is_public(&it.vis) => {
                self.line(&at, &format!("trait{}: {}", tidy(&it.generics), tidy(&it.supertraits)));
                for member in &it.items {
                    if let TraitItem::Fn(it) = member {
                        let provided = if it.default.is_some() { " (provided)" } else { "" };
                        let text = format!("{}{provided}", signature(&it.sig));
                        self.line(&format!("{at}::{}", it.sig.ident), &text);
                    }
                }
            }
            _ => return,
        }
        let is_of = |it: &ItemImpl| of_type(it).is_some_and(|it| it == name);
        for it in around.iter().filter_map(implementation).filter(|it| is_of(it)) {
            self.implementation(&at, it);
        }
        let elsewhere = Rc::clone(&self.elsewhere);
        for it in elsewhere.get(&name).into_iter().flatten() {
            self.implementation(&at, it);
        }
    }

    fn structure(&mut self, at: &str, it: &ItemStruct) {
        self.line(at, &format!("struct{}{}", tidy(&it.generics), open(&it.attrs)));
        match &it.fields {
            Fields::Named(fields) => {
                for field in fields.named.iter().filter(|it| is_public(&it.vis)) {
                    let name = field.ident.as_ref().unwrap();
                    self.line(&format!("{at}.{name}"), &tidy(&field.ty));
                }
            }
            Fields::Unnamed(fields) => {
                for (index, field) in fields.unnamed.iter().enumerate() {
                    if is_public(&field.vis) {
                        self.line(&format!("{at}.{index}"), &tidy(&field.ty));
                    }
                }
            }
            Fields::Unit => (),
        }
    }

    fn implementation(&mut self, at: &str, it: &ItemImpl) {
        if let Some((_, of, _)) = &it.trait_ {
            self.line(at, &format!("impl {}", tidy(of)));
            return;
        }
        for member in &it.items {
            match member {
                ImplItem::Fn(it) if is_public(&it.vis) => {
                    self.line(&format!("{at}::{}", it.sig.ident), &signature(&it.sig));
                }
                ImplItem::Const(it) if is_public(&it.vis) => {
                    self.line(&format!("{at}::{}", it.ident), &format!("const {}", tidy(&it.ty)));
                }
                _ => (),
            }
        }
    }
}

fn is_public(it: &Visibility) -> bool {
    matches!(it, Visibility::Public(_))
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Fn(it) => &it.sig.ident,
        Item::Const(it) => &it.ident,
        Item::Static(it) => &it.ident,
        Item::Type(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Whether a `use` that others see hands the name on.
fn named_in(tree: &UseTree, name: &str) -> bool {
    match tree {
        UseTree::Path(it) => named_in(&it.tree, name),
        UseTree::Group(it) => it.items.iter().any(|it| named_in(it, name)),
        UseTree::Name(it) => it.ident == name,
        UseTree::Rename(it) => it.rename == name,
        UseTree::Glob(_) => false,
    }
}

fn implementation(item: &Item) -> Option<&ItemImpl> {
    if let Item::Impl(it) = item { Some(it) } else { None }
}

/// The name of the type that the block is for.
fn of_type(it: &ItemImpl) -> Option<String> {
    let syn::Type::Path(path) = &*it.self_ty else { return None };
    Some(path.path.segments.last()?.ident.to_string())
}

/// Whether programs may construct it, or match it exhaustively.
fn open(attributes: &[syn::Attribute]) -> &'static str {
    let is_open = attributes.iter().any(|it| it.path().is_ident("non_exhaustive"));
    if is_open { " (non-exhaustive)" } else { "" }
}

fn signature(it: &Signature) -> String {
    tidy(it)
}

/// The tokens as people write them.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        ("\n", " "),
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" :", ":"),
        (" ;", ";"),
        ("( ", "("),
        (" (", "("),
        (" )", ")"),
        ("[ ", "["),
        (" ]", "]"),
        ("- >", "->"),
        ("->", " -> "),
        (",)", ")"),
        (", >", ">"),
    ] {
        text = text.replace(from, to);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
