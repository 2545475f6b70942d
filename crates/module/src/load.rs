//! Loads a module from its directory.

use std::{io, path::Path};

use super::{
    Module, admitted, file,
    file::FileContent,
    files::{ModuleFiles, is_of_tofu},
    merge, overrides,
    reader::BlockReader,
    secrets, terragrunt,
    terragrunt::Generated,
};
use diagnostics::{Diagnostic, Diagnostics, Role, lints};
use hcl::{Block, Body, Item, config::ConfigFile, named_if_encrypted};
use memchr::memmem;
use release::{Release, Wanted};
use system::{DirEntry, EntryKind, System, paths, unreadable};
use tf_eval::Meter;

/// How to read a module.
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// The release that decides about the language and the files.
    pub release: Release,
    /// Leave out files that cannot matter to variables: this is quick, but errors in such files go
    /// unseen.
    pub skip_unrelated: bool,
    /// Keep every block as written, in [`Module::blocks`].
    pub keeps_blocks: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        LoadOptions { release: Release::NEWEST, skip_unrelated: false, keeps_blocks: false }
    }
}

/// Reads a module's files, merges overrides, and reports everything that Terraform refuses before it
/// evaluates a value. Errors: the directory itself cannot be read.
pub fn load(
    system: &dyn System,
    dir: &Path,
    options: &LoadOptions,
) -> io::Result<(Module, Diagnostics)> {
    load_metered(system, dir, options, &Meter::default())
}

/// Like [`load`], and counts the work. Files beyond the meter's bound are not read.
pub fn load_metered(
    system: &dyn System,
    dir: &Path,
    options: &LoadOptions,
    meter: &Meter,
) -> io::Result<(Module, Diagnostics)> {
    let mut entries = system.list(dir)?;
    let generated = terragrunt::generated(system, dir, &entries, meter).unwrap_or_default();
    for (name, _) in &generated.files {
        if let Err(place) = entries.binary_search_by(|it| it.name.cmp(name)) {
            entries.insert(place, DirEntry { name: name.clone(), kind: EntryKind::File });
        }
    }
    let files = ModuleFiles::select(&entries, options.release);
    let blocks = options.keeps_blocks.then(Vec::new);
    let (dir, release) = (dir.to_owned(), options.release);
    let open = generated.open.clone();
    let mut module = Module { dir, release, open, blocks, ..Module::default() };
    let mut diagnostics = Vec::new();
    for name in &files.primary {
        let file =
            read(&mut module, system, &generated, name, options, meter, false, &mut diagnostics);
        merge::add(&mut module, file, &mut diagnostics);
    }
    for name in &files.overrides {
        let file =
            read(&mut module, system, &generated, name, options, meter, true, &mut diagnostics);
        overrides::merge(&mut module, file, &mut diagnostics);
    }
    diagnostics.extend(overrides::check_versions(&module));
    diagnostics.extend(admitted::check_providers(&module));
    diagnostics.extend(admitted::check_version(&module, options.release));
    diagnostics.extend(module.backend.iter().flatten().cloned());
    secrets::hide(&mut module, &mut diagnostics);
    Ok((module, diagnostics))
}

/// Loads the module by the wanted release, which is also returned. A module that is pinned to an older
/// release is loaded by that one.
pub fn load_wanted(
    wanted: Wanted,
    load: impl Fn(&LoadOptions) -> io::Result<(Module, Diagnostics)>,
) -> io::Result<(Module, Diagnostics, Release)> {
    let load = |release| load(&LoadOptions { release, ..LoadOptions::default() });
    let release = wanted.first();
    let (module, diagnostics) = load(release)?;
    if let Wanted::Newest(product) = wanted
        && !module.admits(release)
        && let Some(admitted) = module.newest_admitted(product)
    {
        let (module, diagnostics) = load(admitted)?;
        return Ok((module, diagnostics, admitted));
    }
    Ok((module, diagnostics, release))
}

/// Whether a file may mention variables, so that it is worth parsing.
pub fn is_candidate(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"variable").is_some()
}

/// Whether a file may contain declarations that a schema depends on, locals included.
fn is_related(bytes: &[u8]) -> bool {
    [&b"variable"[..], b"locals"].iter().any(|it| memmem::find(bytes, it).is_some())
}

fn read(
    module: &mut Module,
    system: &dyn System,
    generated: &Generated,
    name: &str,
    options: &LoadOptions,
    meter: &Meter,
    is_override: bool,
    diagnostics: &mut Diagnostics,
) -> FileContent {
    let path = module.dir.join(name);
    let shown = paths::display(&path);
    if meter.is_exhausted() {
        return FileContent::default();
    }
    let known = generated.files.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    let bytes = match known.map_or_else(|| system.read(&path), Ok) {
        Ok(bytes) => bytes,
        Err(error) => {
            let sources = &mut module.sources;
            diagnostics.push(unreadable(&error, &shown, Role::Declaration, sources, || {
                let problem = Diagnostic::new(&lints::UNREADABLE_FILE, "Failed to read file");
                problem.detail(format!("{shown} cannot be read: {error}."))
            }));
            return FileContent::default();
        }
    };
    if options.skip_unrelated && !is_related(&bytes) {
        return FileContent::default();
    }
    if !meter.charge_text(bytes.len()) {
        return FileContent::default();
    }
    let id = module.sources.add(shown, bytes);
    let mut reader = BlockReader::new(options, meter, is_override);
    reader.is_of_tofu = is_of_tofu(name);
    let source = module.sources.file(id);
    let is_json = Path::new(name).extension().is_some_and(|it| it == "json");
    let parse = if is_json { ConfigFile::json } else { ConfigFile::native };
    let (config, problems) = parse(id, &source.bytes);
    let mut problems = named_if_encrypted(id, &source.bytes, problems);
    let blame_all = |problems: &mut Diagnostics| {
        if let ConfigFile::Native(body) = &config {
            problems.iter_mut().for_each(|it| blame(it, body));
        }
    };
    blame_all(&mut problems);
    // A file in native syntax is read even if it has errors. JSON with an error is not read.
    let is_readable = problems.is_empty() || matches!(config, ConfigFile::Native(_));
    diagnostics.extend(problems);
    if !is_readable {
        return FileContent::default();
    }
    let file = file::read(&mut reader, config.body());
    blame_all(&mut reader.diagnostics);
    diagnostics.extend(reader.diagnostics);
    module.features.extend(reader.features);
    module.provider_references.extend(reader.provider_references);
    file
}

/// An error inside a `variable` block is about that variable, and one inside a `validation` block
/// about that rule.
fn blame(problem: &mut Diagnostic, body: &Body) {
    let Some(span) = problem.span() else { return };
    let is_inside = |it: &&Block| it.span.start <= span.start && span.start < it.span.end;
    let Some(variable) = blocks(body, "variable").find(is_inside) else { return };
    let Some(name) = variable.labels.first() else { return };
    problem.variable.get_or_insert_with(|| name.text.clone());
    let rule = blocks(&variable.body, "validation").position(|it| is_inside(&it));
    problem.validation = rule.or(problem.validation);
}

fn blocks<'a>(body: &'a Body, kind: &'a str) -> impl Iterator<Item = &'a Block> {
    body.items.iter().filter_map(move |it| match it {
        Item::Block(block) if block.kind.name == kind => Some(block),
        _ => None,
    })
}
