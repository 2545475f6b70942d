//! Changes of outputs.

use std::collections::BTreeMap;

use super::{
    contract::ModuleContract,
    findings::{Change, State},
    form::form,
    names::{Names, names},
    shapes,
    shapes::{Fit, Shape},
    variables::undecided,
};
use diagnostics::lints;
use module::{Module, Output, Values};
use report::Bump;
use stack::guarded;
use tf_eval::evaluate;
use tf_value::{Marks, Type, Value};

/// All changes of outputs.
pub fn changes(base: &ModuleContract<'_>, head: &ModuleContract<'_>) -> Vec<Change> {
    let mut out = Vec::new();
    for (name, was) in &base.module.outputs {
        match head.module.outputs.get(name) {
            Some(is) => compare(base, was, head, is, &mut out),
            None => out.push(
                Change::new(
                    &lints::OUTPUT_REMOVED,
                    Bump::Major,
                    format!("The output \"{name}\" was removed"),
                )
                .output(name)
                .at_with(State::Base, was.span, "it was declared here"),
            ),
        }
    }
    for (name, is) in &head.module.outputs {
        if !base.module.outputs.contains_key(name) {
            let summary = format!("The output \"{name}\" is new");
            out.push(change(&lints::OUTPUT_ADDED, Bump::Minor, summary, is));
        }
    }
    out
}

fn change(rule: &'static diagnostics::Lint, level: Bump, summary: String, is: &Output) -> Change {
    Change::new(rule, level, summary).output(&is.name).at(State::Head, is.span)
}

fn compare(
    base: &ModuleContract<'_>,
    was: &Output,
    head: &ModuleContract<'_>,
    is: &Output,
    out: &mut Vec<Change>,
) {
    let name = &is.name;
    let (before, after) = (typed(base, was), typed(head, is));
    for (mark, declared, word) in [
        (Marks::SENSITIVE, [was.sensitive, is.sensitive], "sensitive"),
        (Marks::EPHEMERAL, [was.ephemeral, is.ephemeral], "ephemeral"),
    ] {
        let [was_so, is_so] = [(&before, declared[0]), (&after, declared[1])]
            .map(|(shape, declared)| declared == Some(true) || shape.marks.contains(mark));
        match (was_so, is_so) {
            (false, true) => {
                let summary = format!("The output \"{name}\" is now {word}");
                out.push(change(&lints::OUTPUT_HIDDEN, Bump::Major, summary, is));
            }
            (true, false) => {
                let summary = format!("The output \"{name}\" is no longer {word}");
                out.push(change(&lints::OUTPUT_SHOWN, Bump::Minor, summary, is));
            }
            _ => (),
        }
    }
    if was.deprecated != is.deprecated {
        let is_new = was.deprecated.is_none();
        let level = if is_new { Bump::Minor } else { Bump::Patch };
        let summary = format!("The deprecation of the output \"{name}\" changed");
        out.push(change(&lints::DEPRECATION_CHANGED, level, summary, is));
    }
    conditions(base, was, head, is, out);
    if !is_same(base, was, head, is) {
        out.extend(types(base, was, &before, head, is, &after));
    }
}

fn types(
    base: &ModuleContract<'_>,
    was: &Output,
    before: &Typed,
    head: &ModuleContract<'_>,
    is: &Output,
    after: &Typed,
) -> Option<Change> {
    let name = &is.name;
    let both = before.ty.as_ref().zip(after.ty.as_ref());
    let shape = |typed: &Typed, contract: &ModuleContract<'_>, output: &Output| match &typed.ty {
        Some(ty) => Shape::Typed(ty.clone()),
        None => output.value.as_ref().map_or(Shape::Unknown, |it| shapes::shape(it, contract)),
    };
    let fit = match both {
        Some((was, is)) => fit(was, is),
        None => shapes::fit(&shape(before, base, was), &shape(after, head, is)),
    };
    let text = |contract: &ModuleContract<'_>, output: &Output| {
        let value = output.value.as_ref().and_then(|it| form(it, &contract.module));
        value.map(|it| (it, output.constraint.clone()))
    };
    let before_text = text(base, was);
    let is_written_alike = before_text.is_some() && before_text == text(head, is);
    Some(match fit {
        // What it refers to changed, and its type did not.
        Fit::Same if both.is_none() && is_written_alike => return None,
        Fit::Same => {
            let summary = format!("The expression of the output \"{name}\" changed");
            change(&lints::OUTPUT_REWRITTEN, Bump::Patch, summary, is)
                .detail("Its type did not change.")
        }
        Fit::More => {
            let summary = format!("The output \"{name}\" has more attributes");
            change(&lints::OUTPUT_ADDED, Bump::Minor, summary, is)
        }
        Fit::Other if both.is_none() => {
            let summary = format!("The type of the output \"{name}\" changed");
            let (before, after) = (shape(before, base, was), shape(after, head, is));
            let (path, before, after) = shapes::difference(name, &before, &after);
            let detail = format!("{path} was {}, and is now {}.", words(before), words(after));
            change(&lints::OUTPUT_TYPE_CHANGED, Bump::Major, summary, is).detail(detail)
        }
        Fit::Other => {
            let (was, now) = both?;
            let summary = format!("The type of the output \"{name}\" changed");
            let detail = format!(
                "It was {}, and is now {}.",
                tf_value::typeexpr::type_source(was),
                tf_value::typeexpr::type_source(now)
            );
            change(&lints::OUTPUT_TYPE_CHANGED, Bump::Major, summary, is).detail(detail)
        }
        Fit::Open => {
            let summary = format!("The expression of the output \"{name}\" changed");
            change(&lints::UNDECIDED_OUTPUT, Bump::Patch, summary, is)
                .detail("Only a plan can decide whether its type changed too.")
        }
    })
}

/// A shape in words; what is inside of it is left out.
fn words(shape: &Shape) -> String {
    match shape {
        Shape::Typed(ty) => tf_value::typeexpr::type_source(ty),
        Shape::Tuple(_) => "a list".to_owned(),
        Shape::Map(_) => "a map".to_owned(),
        Shape::Record(_) => "an object".to_owned(),
        Shape::Unknown => "gone".to_owned(),
        _ => "one object".to_owned(),
    }
}

/// Preconditions refuse arguments as rules do.
fn conditions(
    base: &ModuleContract<'_>,
    was: &Output,
    head: &ModuleContract<'_>,
    is: &Output,
    out: &mut Vec<Change>,
) {
    let forms = |contract: &ModuleContract<'_>, output: &Output| {
        let forms = output.preconditions.iter().map(|it| form(&it.condition, &contract.module));
        forms.collect::<Vec<_>>()
    };
    let (before, after) = (forms(base, was), forms(head, is));
    let is_known = |it: &Option<String>| it.is_some() && before.contains(it);
    if !after.iter().all(is_known) {
        let what = format!("the preconditions of the output \"{}\"", is.name);
        let change = undecided(&what, "the values that they reject are not compared");
        out.push(change.output(&is.name).at(State::Head, is.span));
    }
}

/// What is known of the type and the marks of a value before a plan.
struct Typed {
    /// `None` where only a plan knows it.
    ty: Option<Type>,
    marks: Marks,
}

fn typed(contract: &ModuleContract<'_>, output: &Output) -> Typed {
    let Some(expr) = &output.value else { return Typed { ty: None, marks: Marks::NONE } };
    let setting = contract.setting();
    let host = setting.host();
    host.begin(Some(expr.span));
    let values = Values::new(&contract.module, BTreeMap::new(), None, &host, contract.release());
    let (value, problems) = evaluate(expr, &values.scope());
    let marks = value.deep_marks();
    if let Some(constraint) = output.constraint.as_ref().filter(|it| !it.ty.has_dynamic()) {
        return Typed { ty: Some(constraint.ty.without_optional()), marks };
    }
    let is_clear = problems.is_empty() && is_typed(&value);
    Typed { ty: is_clear.then(|| value.ty().clone()), marks }
}

/// Whether the whole type is known: nothing in it is `any` or undecided.
fn is_typed(value: &Value) -> bool {
    !value.ty().has_dynamic() && !value.deep_marks().is_undecided()
}

/// Whether the output is the same expression of the same things.
fn is_same(
    base: &ModuleContract<'_>,
    was: &Output,
    head: &ModuleContract<'_>,
    is: &Output,
) -> bool {
    let (Some(before), Some(after)) = (&was.value, &is.value) else { return false };
    let (was_form, is_form) = (form(before, &base.module), form(after, &head.module));
    if was_form.is_none() || was_form != is_form || was.constraint != is.constraint {
        return false;
    }
    let Names { variables, others, .. } = names(after, &head.module);
    let is_same_variable = |name: &smol_str::SmolStr| {
        let types = [base, head].map(|module| module.variable(name).map(|it| &it.constraint.ty));
        types[0] == types[1]
    };
    variables.iter().all(is_same_variable)
        && others.iter().all(|it| same_object(&base.module, &head.module, it))
}

/// Whether a resource or a call has as many instances, and the call leads to the same source.
fn same_object(base: &Module, head: &Module, address: &str) -> bool {
    let Some((kind, name)) = address.rsplit_once('.') else { return false };
    let known = |module: &Module| {
        if kind == "module" {
            let call = module.calls.get(name)?;
            let text =
                |named: &Option<(smol_str::SmolStr, _)>| named.as_ref().map(|it| it.0.clone());
            let repetition = [call.repetition.count.is_some(), call.repetition.for_each.is_some()];
            let source = text(&call.source).filter(|it| !it.starts_with('.'))?;
            return Some((repetition, Some(source), text(&call.version)));
        }
        let resource = module.resources.get(&(kind.into(), name.into()))?;
        let repetition = &resource.repetition;
        Some(([repetition.count.is_some(), repetition.for_each.is_some()], None, None))
    };
    let is_builtin = matches!(kind, "path" | "terraform" | "each" | "count");
    is_builtin || known(base).is_some() && known(base) == known(head)
}

fn fit(was: &Type, is: &Type) -> Fit {
    guarded(|| match (was, is) {
        _ if was == is => Fit::Same,
        (Type::Dynamic, _) | (_, Type::Dynamic) => Fit::Open,
        (Type::List(was), Type::List(is))
        | (Type::Set(was), Type::Set(is))
        | (Type::Map(was), Type::Map(is)) => fit(was, is),
        (Type::Object(was), Type::Object(is)) => {
            let each = was
                .attributes
                .iter()
                .map(|(name, was)| is.attributes.get(name).map_or(Fit::Other, |is| fit(was, is)));
            let is_more = is.attributes.len() > was.attributes.len();
            each.chain(is_more.then_some(Fit::More)).max().unwrap_or(Fit::Same)
        }
        // An index and a `for` accept either type; a comparison does not.
        (Type::Tuple(_), Type::List(_) | Type::Tuple(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Object(_), Type::Map(_))
        | (Type::Map(_), Type::Object(_)) => Fit::Open,
        _ => Fit::Other,
    })
}
