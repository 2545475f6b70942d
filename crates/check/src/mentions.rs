//! The paths that the files of a module name: modules that they call, files that they read. Nothing is
//! evaluated.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use memchr::memmem;
use smol_str::SmolStr;

use config::Settings;
use diagnostics::Sources;
use hcl::{
    Body, Expr, ExprKind, Item, TemplatePart,
    analysis::as_call,
    config::{BlockSchema, BodySchema, ConfigBody, ConfigFile},
};
use module::{ModuleFiles, inputs::is_json_file};
use release::Release;
use stack::guarded;
use system::{System, paths};

/// The paths that a module names.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// The calls of all `module` blocks; a source in an override file replaces the overridden one.
    pub calls: Vec<Called>,
    pub reads: Vec<Read>,
}

/// The constant source of a `module` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    pub source: SmolStr,
    pub version: Option<SmolStr>,
}

/// The path that a function reads; relative to the module's directory or absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    File(PathBuf),
    /// Any file at the path or below it: `fileset`, and paths whose end is not constant.
    Below(PathBuf),
}

const BLOCKS: BodySchema =
    BodySchema { attributes: &[], blocks: &[BlockSchema { kind: "module", labels: &["name"] }] };

impl Mentions {
    /// The mentions of the module in a directory. A file that cannot be read or parsed names nothing.
    pub fn of(system: &dyn System, dir: &Path, release: Release) -> Mentions {
        let entries = system.list(dir).unwrap_or_default();
        let files = ModuleFiles::select(&entries, release);
        let (mut calls, mut reads) = (IndexMap::new(), Vec::new());
        for name in files.primary.iter().chain(&files.overrides) {
            if let Ok(bytes) = system.read(&dir.join(name)) {
                read_file(name, &bytes, &mut calls, &mut reads);
            }
        }
        let calls = calls.into_values().filter(|it: &Called| !it.source.is_empty());
        Mentions { calls: calls.collect(), reads }
    }
}

impl Called {
    /// The source, if it is a local path.
    pub fn local(&self) -> Option<&str> {
        is_local(&self.source).then_some(self.source.as_str())
    }

    /// The called directory, if paths and contracts lead to one; `caller` is the calling module's
    /// (absolute).
    pub fn dir(&self, caller: &Path, settings: &Settings) -> Option<PathBuf> {
        match self.local() {
            Some(source) => Some(paths::clean(&caller.join(source))),
            None => settings.contract(&self.source, self.version.as_deref()),
        }
    }
}

/// Whether Terraform reads a source as a path.
pub fn is_local(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../")
}

/// Whether a file may call a module or read a file, so that it is worth parsing.
fn is_candidate(name: &str, bytes: &[u8]) -> bool {
    let has = |it: &str| memmem::find(bytes, it.as_bytes()).is_some();
    // JSON may write any letter of a name as an escape.
    has("module") || has("file") || (is_json_file(name) && has("\\u"))
}

fn read_file(
    name: &str,
    bytes: &[u8],
    calls: &mut IndexMap<SmolStr, Called>,
    reads: &mut Vec<Read>,
) {
    if !is_candidate(name, bytes) {
        return;
    }
    let id = Sources::default().add(name, Vec::new());
    let parse = if is_json_file(name) { ConfigFile::json } else { ConfigFile::native };
    let (file, _) = parse(id, bytes);
    for block in &file.body().partial_content(&BLOCKS).0.blocks {
        let Some(label) = block.labels.first() else { continue };
        let call = calls.entry(label.text.clone()).or_default();
        for it in block.body.just_attributes().0 {
            match it.name.name.as_str() {
                "source" => call.source = constant(&it.expression().0).unwrap_or_default(),
                "version" => call.version = constant(&it.expression().0),
                _ => (),
            }
        }
    }
    match file.body() {
        ConfigBody::Native(body) => in_body(body, reads),
        json @ ConfigBody::Json(_) => {
            let attributes = json.just_attributes().0;
            attributes.iter().for_each(|it| in_expression(&it.expression().0, reads));
        }
    }
}

fn constant(expr: &Expr) -> Option<SmolStr> {
    match &expr.bare().kind {
        ExprKind::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn in_body(body: &Body, reads: &mut Vec<Read>) {
    for item in &body.items {
        match item {
            Item::Attribute(it) => in_expression(&it.value, reads),
            Item::Block(it) => {
                guarded(|| in_body(&it.body, reads));
            }
        }
    }
}

fn in_expression(expr: &Expr, reads: &mut Vec<Read>) {
    if expr.is_leaf() {
        return;
    }
    reads.extend(read(expr));
    guarded(|| {
        expr.for_each_child(&mut |it| in_expression(it, reads));
    });
}

/// The path that a function call reads.
fn read(expr: &Expr) -> Option<Read> {
    let call = as_call(expr)?;
    let name = call.name.name.strip_prefix("core::").unwrap_or(&call.name.name);
    let (path, is_whole) = Text::of(call.args.first()?).path()?;
    match name {
        "fileset" => {
            let pattern = call.args.get(1).map(Text::of).unwrap_or_default();
            let is_plain = |it: &&str| !it.contains(['*', '?', '[', '{', '\\']);
            let mut names: Vec<&str> = pattern.text.split('/').collect();
            if !pattern.is_whole {
                names.pop();
            }
            let plain = names.into_iter().take_while(is_plain).filter(|_| is_whole);
            Some(Read::Below(paths::clean(&path.join(plain.collect::<PathBuf>()))))
        }
        "templatefile" | "fileexists" => Some(Read::new(path, is_whole)),
        _ if name.starts_with("file") => Some(Read::new(path, is_whole)),
        _ => None,
    }
}

impl Read {
    fn new(path: PathBuf, is_whole: bool) -> Read {
        if is_whole { Read::File(path) } else { Read::Below(path) }
    }

    /// The path; the function reads a file at it, or below it.
    pub fn path(&self) -> &Path {
        match self {
            Read::File(path) | Read::Below(path) => path,
        }
    }
}

/// The constant beginning of a text; the module's directory is `.`.
#[derive(Default)]
struct Text {
    text: String,
    is_whole: bool,
}

impl Text {
    fn of(expr: &Expr) -> Text {
        let mut it = Text { text: String::new(), is_whole: true };
        it.add(expr);
        it
    }

    fn add(&mut self, expr: &Expr) {
        match &expr.bare().kind {
            ExprKind::String(text) => self.text.push_str(text),
            ExprKind::GetAttr { base, .. } if self.text.is_empty() && is_path(base) => {
                self.text.push('.');
            }
            ExprKind::Template(parts) => {
                for part in parts {
                    match part {
                        _ if !self.is_whole => break,
                        TemplatePart::Literal { text, .. } => self.text.push_str(text),
                        TemplatePart::Interpolation(it) => {
                            guarded(|| self.add(it));
                        }
                        _ => self.is_whole = false,
                    }
                }
            }
            _ => self.is_whole = false,
        }
    }

    /// The path, and whether it is complete or only a directory above the file; `None` where nothing of
    /// it is constant.
    fn path(self) -> Option<(PathBuf, bool)> {
        if self.is_whole {
            return Some((paths::clean(Path::new(&self.text)), true));
        }
        let (dir, _) = self.text.rsplit_once('/')?;
        let dir = if dir.is_empty() { "/" } else { dir };
        Some((paths::clean(Path::new(dir)), false))
    }
}

fn is_path(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(name) if name == "path")
}
