//! The places of a variable in files of `terraform test`: values for a module, and references in what is asserted.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use super::{
    contract::{Modules, is_json},
    symbol::{
        Occurrence, Use, attributes, json_members, name_after, references_in_json, source_of,
        text_of,
    },
};
use diagnostics::{FileId, Span};
use hcl::{
    Block, Body, Item,
    analysis::{PathStep, Reference, body_references},
    json, parse_body,
};
use system::paths;

/// How files of tests are called. The last two are OpenTofu's.
const SUFFIXES: [&str; 4] = [".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"];

pub(crate) fn is_test(file: &Path) -> bool {
    file.to_str().is_some_and(|it| SUFFIXES.iter().any(|suffix| it.ends_with(suffix)))
}

/// A block, or what is outside of all blocks of its kind.
#[derive(Default)]
struct Part {
    /// The bytes of the name where it gets a value.
    values: Vec<Range<usize>>,
    /// The references from values: they are to what the whole file gives, or else to the values of the tested module.
    outer: Vec<Range<usize>>,
    /// The other references.
    inner: Vec<Range<usize>>,
}

struct Run {
    part: Part,
    subject: Subject,
}

/// What a run is about.
enum Subject {
    Tested,
    /// Another module, by its source.
    Other(String),
    /// Another module, whose source cannot be read.
    Unknown,
}

impl Subject {
    fn of(source: Option<&str>) -> Subject {
        source.map_or(Subject::Unknown, |it| Subject::Other(it.to_owned()))
    }
}

/// Adds the places of a variable of the module in a directory. Errors: the name means variables of several modules, or it
/// cannot be found.
pub(crate) fn in_test(
    modules: &Modules<'_>,
    file: &Path,
    dir: &Path,
    name: &str,
    found: &mut Vec<Occurrence>,
) -> Result<(), String> {
    let Some(text) = text_of(modules.system, file).filter(|it| it.contains(name)) else {
        return Ok(());
    };
    let bases = bases(file);
    let is_own = bases.iter().any(|it| it == dir);
    let (whole, runs) =
        if is_json(file) { in_json(&text, name) } else { Some(native(&text, name)) }
            .ok_or_else(|| format!("the references in {} cannot be found", paths::display(file)))?;
    let is_about = |run: &Run| match &run.subject {
        Subject::Tested => is_own,
        Subject::Other(it) if module::source_address::is_local(it) => {
            bases.iter().any(|base| paths::clean(&base.join(it)) == dir)
        }
        Subject::Other(_) | Subject::Unknown => false,
    };
    if !is_own && !runs.iter().any(is_about) {
        return Ok(());
    }
    // A value of the whole file is one of each module that declares the variable.
    let is_of_another = |run: &Run| {
        if !run.part.values.is_empty() {
            return false;
        }
        let others: Vec<PathBuf> = match &run.subject {
            Subject::Tested => bases.clone(),
            Subject::Other(it) if module::source_address::is_local(it) => {
                bases.iter().map(|base| paths::clean(&base.join(it))).collect()
            }
            Subject::Other(_) | Subject::Unknown => return true,
        };
        let declares = |dir: &PathBuf| {
            modules.read(dir).is_some_and(|it| it.module.variables.contains_key(name))
        };
        others.iter().any(declares)
    };
    let is_for_all = !whole.values.is_empty();
    if is_for_all && runs.iter().any(|it| !is_about(it) && is_of_another(it)) {
        let shown = paths::display(&paths::relative(modules.root, file));
        return Err(format!("{shown} gives this value to another module, too"));
    }
    let mut add = |names: &[Range<usize>], role: Use| {
        let places = names.iter().map(|it| (it.clone(), file.to_owned()));
        found.extend(places.map(|(name, file)| Occurrence { file, name, role }));
    };
    let is_outer_ours = is_own || is_for_all;
    add(&whole.values, Use::Value);
    if is_outer_ours {
        add(&whole.outer, Use::Reference);
        add(&whole.inner, Use::Reference);
    }
    for run in &runs {
        if is_outer_ours {
            add(&run.part.outer, Use::Reference);
        }
        if is_about(run) {
            add(&run.part.values, Use::Value);
            add(&run.part.inner, Use::Reference);
        }
    }
    Ok(())
}

/// The directories of modules whose test a file can be.
fn bases(file: &Path) -> Vec<PathBuf> {
    let Some(dir) = file.parent() else { return Vec::new() };
    let above = dir.parent().filter(|_| dir.ends_with("tests"));
    [Some(dir), above].into_iter().flatten().map(Into::into).collect()
}

fn native(text: &str, name: &str) -> (Part, Vec<Run>) {
    let (body, _) = parse_body(FileId(0), text.as_bytes());
    let (mut whole, mut runs) = (Part::default(), Vec::new());
    for block in blocks(&body) {
        match block.kind.name.as_str() {
            "variables" => values_in(&block.body, text, name, &mut whole),
            "run" => {
                let mut run = Run { part: Part::default(), subject: Subject::Tested };
                for inner in blocks(&block.body) {
                    match inner.kind.name.as_str() {
                        "variables" => values_in(&inner.body, text, name, &mut run.part),
                        "module" => {
                            run.subject = Subject::of(source_of(&inner.body));
                        }
                        _ => run.part.inner.extend(references_in(&inner.body, text, name)),
                    }
                }
                runs.push(run);
            }
            _ => whole.inner.extend(references_in(&block.body, text, name)),
        }
    }
    (whole, runs)
}

fn blocks(body: &Body) -> impl Iterator<Item = &Block> {
    body.items.iter().filter_map(|it| match it {
        Item::Block(it) => Some(it),
        Item::Attribute(_) => None,
    })
}

fn values_in(body: &Body, text: &str, name: &str, part: &mut Part) {
    part.values.extend(attributes(body, name).map(Span::range));
    part.outer.extend(references_in(body, text, name));
}

fn references_in(body: &Body, text: &str, name: &str) -> Vec<Range<usize>> {
    let is_it = |it: &&Reference| {
        it.root.name == "var"
            && matches!(it.steps.first(), Some(PathStep::Attr(it)) if it.as_str() == name)
    };
    let found = body_references(body);
    found.iter().filter(is_it).filter_map(|it| name_after(text, it.root.span, name)).collect()
}

/// The same in JSON; `None` if references cannot be found.
fn in_json(text: &str, name: &str) -> Option<(Part, Vec<Run>)> {
    let (value, _) = json::parse_part(FileId(0), text.as_bytes());
    let values_in = |values: &json::JsonValue, part: &mut Part| {
        let named = json_members(values).into_iter().filter(|it| it.key == name);
        part.values.extend(named.map(|it| super::symbol::inside_quotes(it.key_span.range(), text)));
        part.outer.extend(references_in_json(text, values, name)?);
        Some(())
    };
    let (mut whole, mut runs) = (Part::default(), Vec::new());
    for it in json_members(&value) {
        match it.key.as_str() {
            "variables" => values_in(&it.value, &mut whole)?,
            "run" => {
                for named in json_members(&it.value) {
                    let mut run = Run { part: Part::default(), subject: Subject::Tested };
                    for inner in json_members(&named.value) {
                        match inner.key.as_str() {
                            "variables" => values_in(&inner.value, &mut run.part)?,
                            "module" => {
                                let mut members = json_members(&inner.value).into_iter();
                                let source = members.find(|it| it.key == "source");
                                let source = source.and_then(|it| it.value.as_str());
                                run.subject = Subject::of(source);
                            }
                            _ => {
                                let found = references_in_json(text, &inner.value, name)?;
                                run.part.inner.extend(found);
                            }
                        }
                    }
                    runs.push(run);
                }
            }
            _ => whole.inner.extend(references_in_json(text, &it.value, name)?),
        }
    }
    Some((whole, runs))
}
