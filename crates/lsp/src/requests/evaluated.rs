//! What an expression in a module is for each of the module's input sets: `with prod.tfvars: 3`.

use std::{ops::Range, path::Path};

use super::View;
use crate::{
    contract::{is_json, role},
    input_sets::{InputSet, automatic, chosen, input_sets},
};
use check::FileRole;
use diagnostics::FileId;
use hcl::{Body, Expr, ExprKind, Item, analysis::body_references, parse_value};
use module::{
    Values,
    inputs::{InputArgument, InputRequest},
    selected_workspace,
};
use projection::schema::RulesInWords;
use stack::guarded;
use system::paths;
use tf_eval::{EvalHost, Limits, Meter, evaluate_in_detail};
use tf_value::typeexpr::value_source;
use verdict::{JudgeSetting, Loaded};

/// The most input sets that are shown.
const MOST_SETS: usize = 4;
/// The longest value that is shown, in bytes.
const LONGEST: usize = 200;
/// The longest expression that is shown, in bytes.
const LONGEST_TEXT: usize = 300;
/// The most expressions around a position that are tried.
const MOST_TRIED: usize = 4;
/// The work for each input set.
const WORK: Limits = Limits::of_run(8_000_000);

/// An expression, and its values.
pub(super) struct Evaluated {
    /// Its bytes in the document.
    pub span: Range<usize>,
    /// As written.
    pub text: String,
    /// A line for each input set in which it is known and no secret.
    pub lines: Vec<String>,
}

/// The expression at the position of a source file in native syntax: the reference, or what the operator, the function
/// or the name of the argument at the position belongs to.
pub(super) fn at(view: &View<'_>) -> Option<Evaluated> {
    if role(view.path) != FileRole::Source || is_json(view.path) {
        return None;
    }
    let body = view.document.text.body();
    let spans =
        reference(body, view.offset).map_or_else(|| around(body, view.offset), |it| vec![it]);
    let dir = view.path.parent()?;
    let wanted = view.context.snapshot.settings.input_set.as_deref();
    let sets = chosen(input_sets(&view.modules, dir), wanted);
    let has_automatic = !automatic(&view.modules, dir).is_empty();
    let mut found: Vec<Evaluated> = Vec::new();
    for span in spans {
        let text = view.text().get(span.clone())?;
        if text.len() <= LONGEST_TEXT {
            found.push(Evaluated { span, text: text.to_owned(), lines: Vec::new() });
        }
    }
    for set in sets.iter().take(MOST_SETS) {
        let texts: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
        let values = values(view, dir, set, &texts).unwrap_or_default();
        let with = match &set.name {
            Some(it) => format!("with `{it}`"),
            None if has_automatic => "with the automatic values files".to_owned(),
            None => "with the defaults".to_owned(),
        };
        for (it, value) in found.iter_mut().zip(values) {
            it.lines.extend(value.map(|value| format!("- {with}: `{value}`")));
        }
    }
    let known = found.iter().position(|it| !it.lines.is_empty()).unwrap_or_default();
    found.into_iter().nth(known)
}

/// The bytes of the reference to a variable or a local at an offset.
fn reference(body: &Body, offset: usize) -> Option<Range<usize>> {
    let all = body_references(body);
    let it = all.iter().find(|it| {
        let is_here = (it.span.start as usize..=it.span.end as usize).contains(&offset);
        is_here && ["var", "local"].contains(&it.root.name.as_str())
    })?;
    Some(it.span.range())
}

/// The bytes of the expressions around an offset, the innermost first; those of the whole argument if its name is there.
/// A constant shows its value by itself.
fn around(body: &Body, offset: usize) -> Vec<Range<usize>> {
    let contains = |range: Range<usize>| range.start <= offset && offset <= range.end;
    for item in &body.items {
        match item {
            Item::Attribute(it) if contains(it.name.span.range()) => {
                return if is_constant(&it.value) {
                    Vec::new()
                } else {
                    vec![it.value.span.range()]
                };
            }
            Item::Attribute(it) if contains(it.span.range()) => {
                let mut found = Vec::new();
                descend(&it.value, offset, &mut found);
                found.reverse();
                found.truncate(MOST_TRIED);
                return found;
            }
            Item::Block(it) if contains(it.body.span.range()) => {
                return guarded(|| around(&it.body, offset));
            }
            _ => (),
        }
    }
    Vec::new()
}

/// Adds the expressions around an offset, the outermost first.
fn descend(expr: &Expr, offset: usize, found: &mut Vec<Range<usize>>) {
    let range = expr.span.range();
    if !(range.start <= offset && offset <= range.end) || expr.is_leaf() {
        return;
    }
    if !is_constant(expr) {
        found.push(range);
    }
    guarded(|| expr.for_each_child(&mut |it| descend(it, offset, found)));
}

fn is_constant(expr: &Expr) -> bool {
    let is_name = |it: &Expr| matches!(it.kind, ExprKind::Variable(_) | ExprKind::Call { .. });
    let mut has_none = !is_name(expr);
    if has_none && !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| has_none = has_none && is_constant(it)));
    }
    has_none
}

/// The value of each expression with a set of values files. `None` for one that is not known, is or contains a secret,
/// or is too long.
fn values(
    view: &View<'_>,
    dir: &Path,
    set: &InputSet,
    texts: &[&str],
) -> Option<Vec<Option<String>>> {
    let root = view.modules.root;
    let relative = paths::relative(root, dir);
    let release = view.modules.configurations.settings(&relative).release.first();
    let contract = view.modules.read(dir)?;
    let meter = Meter::new(WORK);
    let mut module = Loaded::new(contract.module);
    let files = set.files.iter().map(|it| InputArgument::File(paths::relative(root, it)));
    let request = InputRequest {
        dir: relative.clone(),
        environment: false,
        auto_files: true,
        arguments: files.collect(),
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
    let workspace = selected_workspace(view.system, &relative, release).ok().flatten();
    let host = EvalHost::metered(view.system, &relative, release, &meter);
    host.begin(None);
    let mut values = Values::new(&module, variables, workspace.as_deref(), &host, release);
    for ((kind, name), value) in &objects {
        values.set_object(kind, name, value.clone());
    }
    let words = RulesInWords::of(&module);
    let value = |text: &&str| {
        let (expr, errors) = parse_value(FileId(0), text.as_bytes(), 0);
        if !errors.is_empty() {
            return None;
        }
        let evaluation = evaluate_in_detail(&expr, &values.scope());
        let value = evaluation.value;
        let is_shown = evaluation.diagnostics.is_empty()
            && value.is_wholly_known()
            && value.deep_marks().is_empty();
        let source = is_shown.then(|| value_source(&value))?;
        let is_short = source.len() <= LONGEST && !source.contains('`');
        (is_short && !words.secrets().are_in_text(None, &source)).then_some(source)
    };
    Some(texts.iter().map(value).collect())
}
