//! What a reference in a module is for each of the module's input sets: `with prod.tfvars: 3`.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use super::View;
use crate::contract::{is_json, role};
use check::FileRole;
use diagnostics::FileId;
use hcl::{analysis::body_references, parse_body, parse_value};
use module::{
    Values,
    inputs::{InputArgument, InputRequest, is_auto_file},
    selected_workspace,
};
use projection::schema::RulesInWords;
use system::paths;
use tf_eval::{EvalHost, Limits, Meter, evaluate_in_detail};
use tf_value::typeexpr::value_source;
use verdict::{JudgeSetting, Loaded};

/// The most input sets that are shown.
const MOST_SETS: usize = 4;
/// The longest value that is shown, in bytes.
const LONGEST: usize = 200;
/// The work for each input set.
const WORK: Limits = Limits::of_run(8_000_000);

/// A reference to a variable or a local, and its values.
pub(super) struct Evaluated {
    /// Its bytes in the document.
    pub span: Range<usize>,
    /// As written.
    pub text: String,
    /// A line for each input set in which it is known and no secret.
    pub lines: Vec<String>,
}

/// The reference at the position of a source file in native syntax.
pub(super) fn at(view: &View<'_>) -> Option<Evaluated> {
    if role(view.path) != FileRole::Source || is_json(view.path) {
        return None;
    }
    let (body, _) = parse_body(FileId(0), view.text().as_bytes());
    let all = body_references(&body);
    let it = all.iter().find(|it| {
        let is_here = (it.span.start as usize..=it.span.end as usize).contains(&view.offset);
        is_here && ["var", "local"].contains(&it.root.name.as_str())
    })?;
    let span = it.span.range();
    let text = view.text().get(span.clone())?.to_owned();
    let dir = view.path.parent()?;
    let files = view.modules.values_files(dir);
    let entries = view.system.list(dir).unwrap_or_default();
    let auto: Vec<PathBuf> =
        entries.iter().filter(|it| is_auto_file(&it.name)).map(|it| dir.join(&it.name)).collect();
    let named = files.iter().filter(|it| !auto.contains(it));
    let mut sets: Vec<Option<&Path>> = named.map(|it| Some(it.as_path())).collect();
    if sets.is_empty() || !auto.is_empty() {
        sets.insert(0, None);
    }
    let line = |file: Option<&Path>| {
        let value = value(view, dir, file, &text)?;
        let with = match file {
            Some(it) => format!("with `{}`", paths::display(&paths::relative(dir, it))),
            None if auto.is_empty() => "with the defaults".to_owned(),
            None => "with the automatic values files".to_owned(),
        };
        Some(format!("- {with}: `{value}`"))
    };
    let lines = sets.into_iter().take(MOST_SETS).filter_map(line).collect();
    Some(Evaluated { span, text, lines })
}

/// The value of a reference, with one values file on top of the automatic ones. `None` if it is not known, is or
/// contains a secret, or is too long.
fn value(view: &View<'_>, dir: &Path, file: Option<&Path>, text: &str) -> Option<String> {
    let root = view.modules.root;
    let relative = paths::relative(root, dir);
    let release = view.modules.configurations.settings(&relative).release.first();
    let contract = view.modules.read(dir)?;
    let meter = Meter::new(WORK);
    let mut module = Loaded::new(contract.module);
    let request = InputRequest {
        dir: relative.clone(),
        environment: false,
        auto_files: true,
        arguments: file
            .map(|it| InputArgument::File(paths::relative(root, it)))
            .into_iter()
            .collect(),
    };
    let setting = JudgeSetting {
        system: view.system,
        base_dir: &relative,
        release,
        workspace: None,
        awaits: false,
        onward: None,
        // Nothing is reported, so no rule is needed in words.
        words: None,
        meter: &meter,
    };
    module.follow_initialised(&request, Some(&view.modules.configurations), setting);
    let ready = module.read(view.system, &request).collect(&module, setting);
    let (variables, _) = ready.final_values();
    let objects = ready.objects();
    let (expr, errors) = parse_value(FileId(0), text.as_bytes(), 0);
    if !errors.is_empty() {
        return None;
    }
    let workspace = selected_workspace(view.system, &relative, release).ok().flatten();
    let host = EvalHost::metered(view.system, &relative, release, &meter);
    host.begin(None);
    let mut values = Values::new(&module, variables, workspace.as_deref(), &host, release);
    for ((kind, name), value) in &objects {
        values.set_object(kind, name, value.clone());
    }
    let evaluation = evaluate_in_detail(&expr, &values.scope());
    let value = evaluation.value;
    let is_shown = evaluation.diagnostics.is_empty()
        && value.is_wholly_known()
        && value.deep_marks().is_empty();
    let source = is_shown.then(|| value_source(&value))?;
    if RulesInWords::of(&module).secrets().are_in_text(None, &source) {
        return None;
    }
    (source.len() <= LONGEST && !source.contains('`')).then_some(source)
}
