//! The files that Terragrunt writes into a module before Terraform reads it.
//!
//! A `terragrunt.hcl` next to a module's files, and the files that it includes, may have `generate` blocks. What such a
//! block writes is known if its path and contents are constants; then it is a file of the module like any other.
//! Otherwise the module is *open*: it may declare more than is known. Nothing is evaluated here: a function, a local
//! value or an interpolation makes a setting unknown. For example:
//!
//! ```hcl
//! generate "tags" {
//!   path      = "tags.tf"
//!   if_exists = "overwrite"
//!   contents  = <<EOF
//! variable "common_tags" {}
//! EOF
//! }
//! ```

use std::path::{Component, Path, PathBuf};

use indexmap::IndexMap;
use smol_str::SmolStr;

use super::files::is_module_file;
use diagnostics::{FileId, has_errors};
use hcl::{Attribute, Block, Body, Expr, ExprKind, Item, TemplatePart, parse_body};
use release::Product;
use system::{DirEntry, EntryKind, System, is_git_directory, paths};
use tf_eval::Meter;

/// The file that makes a directory a unit of Terragrunt.
const UNIT: &str = "terragrunt.hcl";
/// Files next to a module for which Terragrunt may write something into it.
const FILES: [&str; 5] =
    [UNIT, "terragrunt.hcl.json", "root.hcl", "terragrunt.stack.hcl", "terragrunt.stack.hcl.json"];

/// The text by which Terragrunt knows its own files.
const SIGNATURE: &[u8] = b"nIlQXj57tbuaRZEa";

/// The most directories that a search for an included file looks into, as in Terragrunt.
const MOST_PARENTS: usize = 100;

/// Whether a file of this name makes Terragrunt run in its directory, or belongs to such a file.
pub fn is_terragrunt_file(name: &str) -> bool {
    FILES.contains(&name)
}

/// What Terragrunt writes into a module.
#[derive(Debug, Default)]
pub(super) struct Generated {
    /// The files with known contents, in the order of their names.
    pub files: Vec<(String, Vec<u8>)>,
    /// Why there may be more.
    pub open: Option<String>,
}

/// What Terragrunt writes into a directory; `None` where it does not run. `entries` are the directory's.
pub(super) fn generated(
    system: &dyn System,
    dir: &Path,
    entries: &[DirEntry],
    meter: &Meter,
) -> Option<Generated> {
    let has =
        |name: &str| entries.iter().any(|it| it.name == name && it.kind != EntryKind::Directory);
    let file = *FILES.iter().find(|it| has(it))?;
    let mut reader = UnitReader::new(system, dir, meter);
    match file {
        UNIT => reader.unit(&dir.join(UNIT)),
        "root.hcl" => {
            if let Some(body) = reader.read(&dir.join(file)) {
                reader.generates(&body, file);
            }
        }
        _ => reader.leave_open(format!("{file} is not read")),
    }
    Some(reader.finish(entries))
}

/// The directories (absolute) whose files a unit of Terragrunt completes before a plan.
#[derive(Debug, Default)]
pub struct Completed {
    /// Those of the modules that its `source`, or that of an included file, may name, if Terragrunt may write files into
    /// the copy that it makes of them. A conditional names two.
    pub modules: Vec<PathBuf>,
    /// Those of the files that its `generate` blocks, or those of an included file, write into a module.
    pub parts: Vec<PathBuf>,
}

/// The directories that a unit completes. `file` is the unit's.
pub fn completed_by(system: &dyn System, file: &Path, meter: &Meter) -> Completed {
    let dir = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut reader = UnitReader::new(system, dir, meter);
    reader.unit(file);
    if reader.blocks.is_empty() && !reader.is_open_itself {
        return Completed::default();
    }
    let Some(body) = reader.read(file) else { return Completed::default() };
    let Ok(current_dir) = system.current_dir() else { return Completed::default() };
    let here = paths::clean(&current_dir.join(dir));
    let includes = blocks(&body, "include").filter_map(|it| attribute(&it.body, "path"));
    let included: Vec<PathBuf> = includes.filter_map(|it| reader.included(&it.value)).collect();
    let included = included.iter().filter_map(|it| reader.read(it)).collect::<Vec<_>>();
    let mut texts = Vec::new();
    for body in std::iter::once(&body).chain(&included) {
        let source = blocks(body, "terraform").find_map(|it| attribute(&it.body, "source"));
        if let Some(source) = source {
            texts_of_place(&source.value, &here, system, &mut texts);
            break;
        }
    }
    let is_local = |it: &String| it.starts_with(['.', '/']);
    // `modules//vnet`: the part after the slashes is the module, the part before them is copied.
    let module = |it: &String| paths::clean(&here.join(it.replace("//", "/")));
    let modules = texts.iter().filter(|it| is_local(it)).map(module).collect();
    let mut parts = Vec::new();
    for body in std::iter::once(&body).chain(&included) {
        let generates = blocks(body, "generate");
        for it in generates.filter_map(|it| attribute(&it.body, "contents")) {
            files_of(&it.value, &mut |path| {
                let file = reader.included(path).map(|it| current_dir.join(it));
                let file = file.or_else(|| Some(here.join(text_of_place(path, &here, system)?)));
                parts.extend(file.and_then(|it| paths::clean(&it).parent().map(Path::to_owned)));
            });
        }
    }
    Completed { modules, parts }
}

/// Visits the path of each file whose text an expression reads.
fn files_of<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    if let ExprKind::Call { name, args, .. } = &expr.kind
        && ["file", "templatefile"].contains(&name.name.as_str())
        && let Some(path) = args.first()
    {
        visit(path);
        return;
    }
    stack::guarded(|| expr.for_each_child(&mut |it| files_of(it, visit)));
}

/// The paths that an expression may give, where they are known.
fn texts_of_place(expr: &Expr, dir: &Path, system: &dyn System, found: &mut Vec<String>) {
    let expr = expr.bare();
    match &expr.kind {
        ExprKind::Conditional { then, otherwise, .. } => {
            texts_of_place(then, dir, system, found);
            texts_of_place(otherwise, dir, system, found);
        }
        _ => found.extend(text_of_place(expr, dir, system)),
    }
}

/// A path of constants and of functions that name a place: the repository's directory, or the unit's.
fn text_of_place(expr: &Expr, dir: &Path, system: &dyn System) -> Option<String> {
    let ExprKind::Template(parts) = &expr.kind else { return constant(expr).map(str::to_owned) };
    let mut text = String::new();
    for part in parts {
        match part {
            TemplatePart::Literal { text: literal, .. } => text += literal,
            TemplatePart::Interpolation(Expr {
                kind: ExprKind::Call { name, args, .. }, ..
            }) if args.is_empty() => {
                let is_root = |it: &&Path| system.kind(&it.join(".git")).is_ok();
                let place = match name.name.as_str() {
                    "get_repo_root" => dir.ancestors().find(is_root)?,
                    "get_terragrunt_dir" | "get_original_terragrunt_dir" => dir,
                    _ => return None,
                };
                text += &paths::slashes(place);
            }
            _ => return None,
        }
    }
    Some(text)
}

/// A `generate` block whose effect is known.
struct Known {
    name: String,
    contents: Vec<u8>,
    replaces: Replaces,
}

/// What a block does to a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replaces {
    Always,
    /// If Terragrunt wrote it.
    Own,
    Never,
}

struct UnitReader<'a> {
    system: &'a dyn System,
    dir: &'a Path,
    meter: &'a Meter,
    /// By label: a unit's block replaces an included file's. `None` for one that writes no file of the module.
    blocks: IndexMap<SmolStr, Option<Known>>,
    open: Option<String>,
    /// Whether what it writes is not known, whatever its `source` is.
    is_open_itself: bool,
}

impl<'a> UnitReader<'a> {
    fn new(system: &'a dyn System, dir: &'a Path, meter: &'a Meter) -> UnitReader<'a> {
        let (blocks, open, is_open_itself) = (IndexMap::new(), None, false);
        UnitReader { system, dir, meter, blocks, open, is_open_itself }
    }

    fn leave_open(&mut self, why: String) {
        self.open.get_or_insert(why);
    }

    /// Reads a unit's file and what it includes.
    fn unit(&mut self, file: &Path) {
        let Some(body) = self.read(file) else { return };
        let mut source = source(&body);
        for block in blocks(&body, "include") {
            let strategy = attribute(&block.body, "merge_strategy");
            if strategy.is_some_and(|it| constant(&it.value) == Some("no_merge")) {
                continue;
            }
            let label = block.labels.first().map_or("", |it| it.text.as_str());
            let found = attribute(&block.body, "path").and_then(|it| self.included(&it.value));
            let Some(found) = found else {
                self.leave_open(format!("the file of its include \"{label}\" is not known"));
                continue;
            };
            let shown = paths::slashes(&paths::relative(self.dir, &found));
            let Some(included) = self.read(&found) else { continue };
            if source.is_none() {
                source = self::source(&included);
            }
            if blocks(&included, "include").next().is_some() {
                self.leave_open(format!("{shown} includes further files"));
            }
            self.generates(&included, &shown);
        }
        self.generates(&body, UNIT);
        self.is_open_itself = self.open.is_some();
        match source.as_ref().map(Option::as_deref) {
            Some(Some("" | "." | "./")) | None => (),
            Some(Some(_)) => self.leave_open("its `source` brings further files".to_owned()),
            Some(None) => self.leave_open("its `source` is not a constant".to_owned()),
        }
    }

    /// Reads a file; `None`, and open, where it cannot be read.
    fn read(&mut self, file: &Path) -> Option<Body> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_file = matches!(self.system.kind(file), Ok(EntryKind::File));
        let bytes = self.system.read(file).ok().filter(|_| is_file);
        let Some(bytes) = bytes.filter(|it| self.meter.charge_text(it.len())) else {
            self.leave_open(format!("{name} cannot be read"));
            return None;
        };
        let (body, problems) = parse_body(FileId::default(), &bytes);
        if has_errors(&problems) {
            self.leave_open(format!("{name} does not parse"));
            return None;
        }
        Some(body)
    }

    /// The file that `path` of an `include` block names: a constant, or `find_in_parent_folders` of constants.
    fn included(&self, path: &Expr) -> Option<PathBuf> {
        let here = self.system.current_dir().ok()?;
        let dir = paths::clean(&here.join(self.dir));
        let root = dir.ancestors().find(|it| self.system.kind(&it.join(".git")).is_ok());
        let found = match &path.kind {
            ExprKind::Call { name, args, expand: false }
                if name.name == "find_in_parent_folders" =>
            {
                let names: Option<Vec<&str>> = args.iter().map(constant).collect();
                let names = names?;
                let name = names.first().copied().unwrap_or(UNIT);
                let above = dir.ancestors().skip(1).take(MOST_PARENTS);
                let inside = above.take_while(|it| root.is_none_or(|root| it.starts_with(root)));
                let files = inside.map(|it| paths::clean(&it.join(name)));
                let is_there = |it: &PathBuf| self.system.kind(it).is_ok();
                let found = files.into_iter().find(is_there);
                found.or_else(|| Some(paths::clean(&dir.join(names.get(1)?))))?
            }
            _ => paths::clean(&dir.join(constant(path)?)),
        };
        // Nothing outside of the repository is part of it, nor are git's own files.
        let is_inside = root.is_none_or(|root| found.starts_with(root));
        let is_of_git = |it: Component<'_>| it.as_os_str().to_str().is_some_and(is_git_directory);
        if !is_inside || found.components().any(is_of_git) {
            return None;
        }
        // As the module's directory is written, for messages and for systems with walls.
        Some(if self.dir.has_root() { found } else { paths::relative(&here, &found) })
    }

    /// Takes in the `generate` blocks of a file.
    fn generates(&mut self, body: &Body, file: &str) {
        if attribute(body, "generate").is_some() {
            self.leave_open(format!("`generate` of {file} is not a block"));
        }
        for block in blocks(body, "generate") {
            let label = block.labels.first().map(|it| it.text.clone()).unwrap_or_default();
            match known(block) {
                Ok(known) => {
                    self.blocks.insert(label, known);
                }
                Err(what) => {
                    self.leave_open(format!(
                        "the {what} of the generate block \"{label}\" in {file} is not a constant"
                    ));
                    self.blocks.insert(label, None);
                }
            }
        }
    }

    fn finish(mut self, entries: &[DirEntry]) -> Generated {
        let mut files: IndexMap<String, Vec<u8>> = IndexMap::new();
        for known in std::mem::take(&mut self.blocks).into_values().flatten() {
            let is_there = entries.iter().any(|it| it.name == known.name);
            let is_written = match known.replaces {
                _ if !is_there => true,
                Replaces::Always => true,
                Replaces::Own => self.is_own(&known.name),
                Replaces::Never => false,
            };
            if is_written && self.meter.charge_text(known.contents.len()) {
                files.insert(known.name, known.contents);
            }
        }
        files.sort_unstable_keys();
        Generated { files: files.into_iter().collect(), open: self.open }
    }

    /// Whether Terragrunt wrote a file.
    fn is_own(&self, name: &str) -> bool {
        let bytes = self.system.read(&self.dir.join(name)).unwrap_or_default();
        let line = bytes.split(|it| *it == b'\n').next().unwrap_or_default();
        memchr::memmem::find(line, SIGNATURE).is_some()
    }
}

/// The effect of a `generate` block; `None` if it writes no file of the module. Errors: the setting that is not a
/// constant.
fn known(block: &Block) -> Result<Option<Known>, &'static str> {
    let text = |name: &'static str| match attribute(&block.body, name) {
        Some(it) => constant(&it.value).map(Some).ok_or(name),
        None => Ok(None),
    };
    match attribute(&block.body, "disable").map(|it| &it.value.kind) {
        None | Some(ExprKind::Bool(false)) => (),
        Some(ExprKind::Bool(true)) => return Ok(None),
        Some(_) => return Err("`disable`"),
    }
    let path = text("path").map_err(|_| "path")?.unwrap_or_default();
    let path = paths::clean(Path::new(path));
    let is_here = path.parent() == Some(Path::new(""));
    let Some(name) = path.to_str().filter(|it| is_here && is_module_file(it, Product::OpenTofu))
    else {
        return Ok(None);
    };
    let contents = text("contents").map_err(|_| "content")?.unwrap_or_default();
    let replaces = match text("if_exists").map_err(|_| "`if_exists`")? {
        Some("overwrite") => Replaces::Always,
        Some("overwrite_terragrunt") => Replaces::Own,
        _ => Replaces::Never,
    };
    Ok(Some(Known { name: name.to_owned(), contents: contents.into(), replaces }))
}

/// `source` of the `terraform` block, if it is written; `None` inside if it is not a constant.
#[expect(clippy::option_option, reason = "not written, not a constant, a text")]
fn source(body: &Body) -> Option<Option<String>> {
    let block = blocks(body, "terraform").next()?;
    attribute(&block.body, "source").map(|it| constant(&it.value).map(str::to_owned))
}

/// The text of a string without interpolation.
fn constant(expr: &Expr) -> Option<&str> {
    match &expr.bare().kind {
        ExprKind::String(text) => Some(text),
        _ => None,
    }
}

fn attribute<'b>(body: &'b Body, name: &str) -> Option<&'b Attribute> {
    body.items.iter().find_map(|it| match it {
        Item::Attribute(it) if it.name.name == name => Some(it),
        _ => None,
    })
}

fn blocks<'b>(body: &'b Body, kind: &'b str) -> impl Iterator<Item = &'b Block> {
    body.items.iter().filter_map(move |it| match it {
        Item::Block(it) if it.kind.name == kind => Some(it),
        _ => None,
    })
}
