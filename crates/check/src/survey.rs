//! A survey of a repository without a configuration: its modules, the schemas committed next to them with
//! their options, and its values files.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use super::{
    Directories, FileRole, UNREADABLE,
    discover::{discover, has_tofu_files},
    examples::is_example,
    unnamed_values::{self, FoundInput, NeededInputs},
};
use smol_str::SmolStr;

use config::{Config, Configurations, FILE_NAME, OpenTofu};
use diagnostics::{Diagnostic, Sources};
use hcl::json;
use module::{Module, Variable, inputs::is_json_file, is_terragrunt_file};
use projection::schema::{self, CarriedConditions, Draft, SchemaJson, SchemaOptions};
use system::{DirEntry, EntryKind, System, paths};
use tf_eval::Meter;

/// The modules and values files of a repository.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Modules with variables.
    pub modules: Vec<Surveyed>,
    /// Modules that cannot be checked.
    pub unreadable: Vec<Unreadable>,
    /// Values files that need an `input` block: those elsewhere, with the modules that they seem to be for,
    /// and those of modules whose automatic files are incomplete.
    pub inputs: Vec<FoundInput>,
    /// Required variables that no values file sets for any module, so that a pipeline seems to.
    pub given: Vec<SmolStr>,
    /// Values files without a recognisable module.
    pub loose: Vec<PathBuf>,
    /// Files that Terragrunt reads.
    pub terragrunt: Vec<PathBuf>,
    /// Whether OpenTofu reads the modules, although no configuration says so: there are files that it alone reads.
    pub is_of_tofu: bool,
}

/// A module that does not load.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// As seen from the current directory.
    pub dir: PathBuf,
    /// The error with its place: `main.tf:1,17: Unclosed block`.
    pub problem: String,
}

/// A module with the facts that a configuration needs.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// As seen from the current directory.
    pub dir: PathBuf,
    /// Its variables, and those without a default that no configuration says are given.
    pub names: BTreeSet<SmolStr>,
    pub required: BTreeSet<SmolStr>,
    /// Whether another module of the repository calls it.
    pub is_called: bool,
    pub schema: Option<CommittedSchema>,
    /// Values files that belong to it by their place, without examples.
    pub values: Vec<PathBuf>,
    /// Examples of values files.
    pub examples: Vec<PathBuf>,
    /// Further values files that seem to belong to it.
    pub elsewhere: Vec<PathBuf>,
    /// Whether the configuration has `input` blocks for it.
    pub has_inputs: bool,
    /// Whether it declares nothing but variables.
    pub is_only_variables: bool,
    /// The directory whose files those that declare its variables link to.
    pub links_to: Option<PathBuf>,
}

impl Surveyed {
    /// How many of these variables it declares.
    pub(super) fn declared(&self, names: &BTreeSet<SmolStr>) -> usize {
        names.intersection(&self.names).count()
    }
}

/// A schema next to a module, and the options that reproduce it best.
#[derive(Clone, Debug)]
pub struct CommittedSchema {
    /// The file's name in the module's directory.
    pub file: String,
    pub options: SchemaOptions,
    pub escape_json: bool,
    /// The number of differences under these options; zero means that the schema is fresh.
    pub differences: usize,
    /// The earlier version of this tool that wrote it, whose form is not a difference.
    pub written_by: Option<&'static str>,
    /// Whether it differs, and says things about variables that this tool never writes: a person or another tool
    /// maintains it.
    pub is_of_others: bool,
}

/// Surveys everything below the current directory. A module that does not load is listed with its error
/// only.
///
/// Errors: a directory that cannot be read.
pub fn survey(system: &dyn System) -> io::Result<Survey> {
    let files = system.walk(Path::new("."), &|_| true)?;
    let is_of_tofu = system.kind(Path::new(FILE_NAME)).is_err() && has_tofu_files(&files);
    let is_of_terragrunt = |file: &&PathBuf| {
        file.file_name().and_then(|it| it.to_str()).is_some_and(is_terragrunt_file)
    };
    let terragrunt = files.iter().filter(is_of_terragrunt).cloned().collect();
    let opentofu = is_of_tofu.then_some(OpenTofu::Newest);
    let configurations =
        Configurations::new(system, Config { opentofu, ..Config::default() }, None)?;
    let directories: Directories =
        discover(system, &[], &configurations, true, &|_| true)?.directories;
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    let (mut work, count) = (0, directories.len());
    let (mut called, mut loose) = (BTreeSet::new(), Vec::new());
    let mut owned: BTreeSet<PathBuf> = BTreeSet::new();
    for (dir, directory) in directories {
        let settings = configurations.settings(&dir);
        let limits = settings.limits;
        let meter = Meter::new(limits);
        let load =
            |options: &module::LoadOptions| module::load_metered(system, &dir, options, &meter);
        let (module, problems, _) = module::load_wanted(settings.release, load)?;
        called.extend(local_calls(&dir, &module));
        if let Some(problem) = reason(&module, &problems) {
            unreadable.push(Unreadable { dir, problem });
            continue;
        }
        if module.variables.is_empty() {
            loose.extend(directory.values);
            continue;
        }
        let schema = committed_schema(system, &dir, &module, &meter)?;
        work += meter.spent();
        if meter.is_exhausted() || work > limits.run_over(count) {
            let dir = paths::display(&dir);
            return Err(io::Error::other(format!("{dir}: reading it takes too much work")));
        }
        let names = module.variables.keys().cloned().collect();
        let is_open = |it: &&Variable| it.default.is_none() && !settings.given.covers(&it.name);
        let required = module.variables.values().filter(is_open);
        let required = required.map(|it| it.name.clone()).collect();
        owned.extend(directory.values.iter().cloned());
        // An example needs no configuration, and what it lacks is not missing.
        let (examples, values) = directory.values.into_iter().partition(|it| is_example(it));
        let has_inputs = !settings.inputs.is_empty();
        let is_called = false;
        let is_only_variables = has_nothing_else(&module);
        let links_to = linked_dir(system, &dir);
        let elsewhere = Vec::new();
        found.push(Surveyed {
            dir,
            names,
            required,
            is_called,
            schema,
            values,
            examples,
            elsewhere,
            has_inputs,
            is_only_variables,
            links_to,
        });
    }
    for module in &mut found {
        module.is_called = called.contains(&paths::clean(&module.dir));
    }
    // A values file next to source files without variables belongs to a module further up.
    let has_module = |it: &PathBuf| {
        let above = |dir: &Path| dir == Path::new(".") || it.starts_with(dir);
        found.iter().any(|module| above(&module.dir))
    };
    owned.extend(loose.into_iter().filter(has_module));
    let is_values = |path: &PathBuf| {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        FileRole::of(name) == FileRole::Values && !is_example(path)
    };
    let files = files.into_iter().filter(is_values).map(|it| paths::clean(&it)).filter(|file| {
        let dir = file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
        configurations.includes(dir) && !configurations.is_input(file)
    });
    let (placed, loose) = files.partition(|it| owned.contains(it));
    let NeededInputs { inputs, given, loose } =
        unnamed_values::assign(system, &configurations, &mut found, loose, placed);
    Ok(Survey { modules: found, unreadable, inputs, given, loose, terragrunt, is_of_tofu })
}

/// Whether a module declares variables, and nothing that could use them.
fn has_nothing_else(module: &Module) -> bool {
    module.declared.is_empty() && module.outputs.is_empty() && module.locals.is_empty()
}

/// The directory of the module file that a file of this directory links to; `None` where none does, or several link to
/// different places.
fn linked_dir(system: &dyn System, dir: &Path) -> Option<PathBuf> {
    let is_link =
        |it: &DirEntry| it.kind == EntryKind::Symlink && FileRole::of(&it.name) == FileRole::Source;
    let links = system.list(dir).ok()?.into_iter().filter(is_link);
    let root = system.canonicalize(Path::new(".")).ok()?;
    let target = |it: DirEntry| {
        let file = system.canonicalize(&dir.join(it.name)).ok()?;
        Some(paths::clean(file.parent()?.strip_prefix(&root).ok()?))
    };
    let found: Option<BTreeSet<PathBuf>> = links.map(target).collect();
    let found = found?;
    if found.len() == 1 { found.into_iter().next() } else { None }
}

/// The error, with its place, for which a module cannot be checked.
fn reason(module: &Module, problems: &[Diagnostic]) -> Option<String> {
    let is_reason = |it: &&Diagnostic| it.is_error() && it.rule.is_one_of(&UNREADABLE);
    let problem = problems.iter().find(is_reason)?;
    let place = problem.span().map(|it| module.sources.display(it));
    let place = place.map(|it| format!("{it}: ")).unwrap_or_default();
    Some(format!("{place}{}", problem.summary))
}

/// The directories that a module calls by a path.
fn local_calls(dir: &Path, module: &Module) -> Vec<PathBuf> {
    let sources = module.calls.values().filter_map(|it| it.source.as_ref());
    let local =
        sources.map(|it| it.0.as_str()).filter(|it| it.starts_with("./") || it.starts_with("../"));
    local.map(|it| paths::clean(&dir.join(it))).collect()
}

/// The file that resembles a schema of the module most: the one with the fewest differences.
fn committed_schema(
    system: &dyn System,
    dir: &Path,
    module: &Module,
    meter: &Meter,
) -> io::Result<Option<CommittedSchema>> {
    let mut found = Vec::new();
    for entry in system.list(dir)? {
        let name = entry.name;
        if !is_json_file(&name) || FileRole::of(&name) != FileRole::Other {
            continue;
        }
        let Ok(bytes) = system.read(&dir.join(&name)) else { continue };
        found.extend(recognise(name, &bytes, module, meter));
    }
    Ok(found.into_iter().min_by_key(|it| (it.differences, it.file != "schema.json")))
}

/// Tries every combination of options.
fn recognise(
    file: String,
    bytes: &[u8],
    module: &Module,
    meter: &Meter,
) -> Option<CommittedSchema> {
    if !meter.charge_text(bytes.len()) {
        return None;
    }
    let text = String::from_utf8_lossy(bytes);
    let escape_json = ["\\u003c", "\\u003e", "\\u0026"].iter().any(|it| text.contains(it));
    let id = Sources::default().add(file.clone(), bytes);
    let (tree, problems) = json::parse(id, bytes);
    let old = SchemaJson::from(&tree);
    if !problems.is_empty() || !is_schema(&old) {
        return None;
    }
    let tried = combinations(&old, module, meter).map(|options| {
        // The work of comparing it.
        meter.charge_text(4 * bytes.len());
        let new = schema::generate_metered(module, &options, meter).schema.to_json();
        (schema::diff(&old, &new).len(), options)
    });
    let (mut differences, mut options) = tried.min_by_key(|(differences, _)| *differences)?;
    let mut written_by = None;
    if differences > 0 {
        let tried = combinations(&old, module, meter);
        let mut written =
            tried.filter_map(|it| Some((schema::written_by(&old, module, &it, meter)?, it)));
        if let Some((version, of_version)) = written.next() {
            (written_by, differences, options) = (Some(version), 0, of_version);
        }
    }
    let is_of_others = differences > 0 && has_foreign_annotations(&old);
    Some(CommittedSchema { file, options, escape_json, differences, written_by, is_of_others })
}

fn is_schema(json: &SchemaJson) -> bool {
    let SchemaJson::Object(root) = json else { return false };
    let is_draft =
        |it: &SchemaJson| matches!(it, SchemaJson::String(it) if it.contains("json-schema.org"));
    root.get("$schema").is_some_and(is_draft)
        && matches!(root.get("properties"), Some(SchemaJson::Object(_)))
}

/// All combinations of options, the simplest first: among equally good ones the first is chosen.
fn combinations(
    old: &SchemaJson,
    module: &Module,
    meter: &Meter,
) -> impl Iterator<Item = SchemaOptions> {
    let draft = named_draft(old).unwrap_or_default();
    let base =
        SchemaOptions { draft, annotations: has_annotations(old), ..SchemaOptions::default() };
    let base = SchemaOptions { properties: extra_members(old, module, &base, meter), ..base };
    let all_variables = base.clone();
    let fewer = SchemaOptions { ignore_variables: absent_variables(old, module), ..base };
    let bases = if fewer == all_variables { vec![fewer] } else { vec![all_variables, fewer] };
    bases.into_iter().flat_map(|base| {
        let conditions =
            [CarriedConditions::Full, CarriedConditions::Basic, CarriedConditions::None];
        (0..8).flat_map(move |bits| {
            let base = base.clone();
            conditions.map(move |conditions| SchemaOptions {
                disallow_additional_properties: bits & 1 != 0,
                nullable_all: bits & 2 != 0,
                require_all: bits & 4 != 0,
                conditions,
                ..base.clone()
            })
        })
    })
}

fn named_draft(schema: &SchemaJson) -> Option<Draft> {
    let SchemaJson::Object(root) = schema else { return None };
    let SchemaJson::String(uri) = root.get("$schema")? else { return None };
    Draft::from_uri(uri)
}

/// Whether a variable has the annotations that only `annotations` gives.
fn has_annotations(schema: &SchemaJson) -> bool {
    let SchemaJson::Object(root) = schema else { return false };
    let Some(SchemaJson::Object(properties)) = root.get("properties") else { return false };
    let is_annotated = |it: &SchemaJson| matches!(it, SchemaJson::Object(it) if it.contains_key(schema::VOCABULARY));
    properties.values().any(is_annotated)
}

/// Whether a variable has annotations that no options give.
fn has_foreign_annotations(schema: &SchemaJson) -> bool {
    let SchemaJson::Object(root) = schema else { return false };
    let Some(SchemaJson::Object(properties)) = root.get("properties") else { return false };
    let is_foreign = |variable: &SchemaJson| {
        let SchemaJson::Object(members) = variable else { return false };
        let title = members.get("title");
        // `nullable_all` gives titles, too.
        let is_own = |it: &SchemaJson| matches!(it, SchemaJson::String(it) if it.ends_with(": Select a type"));
        ["$id", "examples", "format"].iter().any(|it| members.contains_key(*it))
            || title.is_some_and(|it| !is_own(it))
    };
    properties.values().any(is_foreign)
}

/// String members of the root that no generated schema has.
fn extra_members(
    old: &SchemaJson,
    module: &Module,
    options: &SchemaOptions,
    meter: &Meter,
) -> BTreeMap<String, String> {
    let plain = schema::generate_metered(module, options, meter).schema.to_json();
    let (SchemaJson::Object(old), SchemaJson::Object(new)) = (old, &plain) else {
        return BTreeMap::new();
    };
    let extra = old.iter().filter_map(|(key, value)| match value {
        SchemaJson::String(text) if new.get(key) != Some(value) => {
            Some((key.clone(), text.clone()))
        }
        _ => None,
    });
    extra.collect()
}

fn absent_variables(old: &SchemaJson, module: &Module) -> BTreeSet<String> {
    let SchemaJson::Object(root) = old else { return BTreeSet::new() };
    let Some(SchemaJson::Object(properties)) = root.get("properties") else {
        return BTreeSet::new();
    };
    let names = module.variables.keys().map(ToString::to_string);
    names.filter(|it| !properties.contains_key(it)).collect()
}
