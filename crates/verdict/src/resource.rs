//! The parts of resources, data sources, provider configurations and imports that need no provider: the number
//! of instances, conditions, references, and known values.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    body::{self, Keeping},
    built_in,
    output::{self, Condition},
    remote_state,
    repetition::{self, Expansion},
    triggers, undecided,
};
use diagnostics::{Diagnostic, Diagnostics, Role, has_errors, lints};
use hcl::{Expr, ExprKind};
use module::{BodyArgument, Mode, ProviderConfiguration, Resource, Values, WrittenBody};
use release::{Product, Release, changes};
use stack::guarded;
use tf_eval::{
    Instance, ReferenceStep, RootReference, Scope, check_references, evaluate_in_detail, is_text,
    references, shape,
};
use tf_value::{Marks, Number, Type, Value};

/// How a resource is looked at.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub is_static: bool,
    pub awaits: bool,
    /// Whether everything that can be judged is, whatever fails.
    pub goes_on: bool,
    /// Whether a call that leads here waits for others, so that data sources are read in the apply.
    pub waits: bool,
}

/// All errors of a resource, and the known parts of its value.
pub(super) fn check(
    resource: &Resource,
    values: &Values<'_>,
    look: Look,
) -> (Option<Expansion>, Option<Value>, Diagnostics) {
    let is_static = look.is_static;
    let scope = values.scope();
    let mut found = Vec::new();
    if is_static {
        found.extend(body::dependencies(&resource.depends_on, &scope));
        let triggers = resource.replace_triggered_by.iter();
        found.extend(triggers.filter_map(|it| triggers::check_names(it, &scope)));
    } else {
        found.extend(to_itself(resource, &built_in::read_body(resource, &scope)));
    }
    let (expansion, problems) = repetition::expand(&resource.repetition, &scope, is_static);
    found.extend(problems);
    if is_static && let Some(problem) = built_in::unknown_type(resource, &scope) {
        found.push(problem);
        return (expansion, None, found);
    }
    if !is_static {
        found.extend(built_in::strange_type(resource, &scope));
    }
    let is_certain = expansion.is_some();
    let one = || {
        let is_count = resource.repetition.count.is_some();
        look.goes_on.then_some(Expansion::Open { is_count, reasons: Vec::new() })
    };
    let Some(expansion) = expansion.or_else(one) else { return (None, None, found) };
    let address = resource.address();
    let is_open = !is_static && is_certain;
    found.extend(undecided::expansion(&expansion, &address, resource.span, !is_open));
    let open = match &expansion {
        Expansion::Open { reasons, .. } if is_open => Some(reasons),
        _ => None,
    };
    let mut wholes = Vec::new();
    for instance in expansion.instances(is_static) {
        let (value, problems) = check_instance(resource, values, instance, look);
        wholes.push(value);
        found.extend(problems.into_iter().map(|it| match open {
            Some(reasons) => undecided::instance(it, reasons),
            None => it,
        }));
    }
    let whole = whole(resource, &expansion, wholes, is_static, values);
    (Some(expansion), whole, found)
}

/// The value that references to the resource see; `None` where only a plan knows it.
fn whole(
    resource: &Resource,
    expansion: &Expansion,
    values: Vec<Value>,
    is_static: bool,
    all: &Values<'_>,
) -> Option<Value> {
    if is_static {
        shape(&resource.kind(), all.scope().release)?;
        if *expansion != Expansion::Single {
            return Some(Value::unknown(Type::Dynamic));
        }
        let release = all.scope().release;
        if !release.has(&changes::RESOURCE_TYPED) {
            return Some(Value::unknown(Type::Dynamic));
        }
        let value = before_plan(resource, release);
        return Some(match (release.product(), value.ty()) {
            // It is known not to be null.
            (Product::Terraform, Type::Object(it)) => {
                let unknown = |ty: &Type| Value::unknown(ty.clone());
                let attributes = it.attributes.iter();
                Value::object(attributes.map(|(name, ty)| (name.clone(), unknown(ty))).collect())
            }
            _ => value,
        });
    }
    match expansion {
        Expansion::Open { .. } => None,
        // Only the provider knows the value of a single instance.
        Expansion::Single if shape(&resource.kind(), all.scope().release).is_none() => None,
        _ => Some(expansion.whole(values)),
    }
}

/// What a resource is in the static pass: an unknown value with the attributes of the schema.
fn before_plan(resource: &Resource, release: Release) -> Value {
    let kind = resource.kind();
    let Some(names) = shape(&kind, release) else {
        return Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED);
    };
    let ty = |it: &str| if is_text(&kind, it) { Type::String } else { Type::Dynamic };
    Value::unknown(Type::object(names.iter().map(|it| (SmolStr::new(it), ty(it))).collect()))
}

fn check_instance(
    resource: &Resource,
    values: &Values<'_>,
    mut instance: Instance,
    look: Look,
) -> (Value, Diagnostics) {
    let Look { is_static, awaits, goes_on, .. } = look;
    let mut found = Vec::new();
    let data = values.in_instance(&instance);
    let scope = values.scope_of(&data);
    let name = resource.address();
    let written = built_in::read_body(resource, &scope);
    // Only its provider knows what Terraform drops from an overridden body.
    let is_in_doubt =
        resource.body.overridden.is_some() && !built_in::is_built_in(resource, &scope);
    let doubt = |found: Diagnostics| match is_in_doubt {
        true => found.iter().map(|it| undecided::dropped(it, &name)).collect(),
        false => found,
    };
    let checking = values.in_instance(&instance).checking();
    let asking = values.scope_of(&checking);
    let condition = |kind: &'static str| Condition { kind, of: &name, is_static };
    let mut failed = Vec::new();
    for it in &resource.preconditions {
        let diagnostics = output::condition(it, &scope, condition("precondition"));
        failed.extend(output::is_false(&diagnostics).then_some(it));
        found.extend(diagnostics);
    }
    let of_conditions = found.len();
    if is_static {
        found.extend(doubt(body::references(&written, &scope)));
        found.extend(resource.actions.iter().filter_map(|it| triggers::action(it, &scope)));
    }
    let mut attributes = BTreeMap::new();
    if !is_static {
        // Doubts of the static pass are not kept.
        if is_in_doubt {
            found.extend(doubt(body::references(&written, &asking)));
        }
        let triggers = resource.replace_triggered_by.iter();
        found.extend(triggers.filter_map(|it| triggers::check(it, resource, &scope)));
    }
    // A failed precondition stops Terraform here, and so do other errors.
    if goes_on || !has_errors(&found) {
        let reading = if is_in_doubt { &asking } else { &scope };
        let keeping = match resource.mode {
            Mode::Data if !built_in::is_built_in(resource, &scope) => Keeping::Stored,
            _ => Keeping::BySchema,
        };
        let problems = doubt(body::evaluate(&written, reading, &asking, keeping)).into_iter();
        found.extend(problems.map(|it| match undecided::awaited(&it).filter(|_| awaits) {
            Some(open) => open,
            None => it,
        }));
        found.extend(built_in::resource(resource, &scope, look));
        attributes = match resource.kind().as_str() {
            "terraform_data" => terraform_data(resource, &scope),
            "data.terraform_remote_state" => state_of_others(resource, &scope, look),
            _ => attributes,
        };
        if !is_static && scope.release.has(&changes::INFINITE_INPUT) {
            found.extend(unstorable(resource, &attributes));
        }
    }
    let value = match shape(&resource.kind(), scope.release) {
        Some(names) => {
            let open = || Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED);
            let known = |name: &&str| attributes.get(*name).cloned().unwrap_or_else(open);
            Value::object(names.iter().map(|it| (SmolStr::new(it), known(it))).collect())
        }
        None => Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED),
    };
    if !goes_on && has_errors(&found) {
        return (value, found);
    }
    let release = scope.release;
    instance.hides_this = is_static && !release.has(&changes::RESOURCE_TYPED);
    instance.this = Some(if is_static { before_plan(resource, release) } else { value.clone() });
    let data = values.in_instance(&instance);
    let scope = values.scope_of(&data);
    for it in &resource.postconditions {
        found.extend(output::condition(it, &scope, condition("postcondition")));
    }
    if is_static {
        found.extend(built_in::provisioners(resource, &scope));
    }
    let rest = found.split_off(of_conditions);
    found.extend(output::apart_from(&failed, rest, &after_conditions(resource)));
    (value, found)
}

/// The expressions of a resource that its preconditions come before.
fn after_conditions(resource: &Resource) -> Vec<&Expr> {
    let mut exprs: Vec<&Expr> = resource.replace_triggered_by.iter().collect();
    resource.body.expressions(&mut exprs);
    for it in &resource.postconditions {
        exprs.push(&it.condition);
        exprs.extend(&it.error_message);
    }
    exprs
}

/// Errors for references of the body to the resource itself, whose value the body makes.
fn to_itself(resource: &Resource, body: &WrittenBody) -> Diagnostics {
    let mut exprs: Vec<&Expr> = resource.repetition.expr().into_iter().collect();
    body.expressions(&mut exprs);
    let root = match resource.mode {
        Mode::Managed => resource.ty.as_str(),
        Mode::Data => "data",
        Mode::Ephemeral => "ephemeral",
    };
    // Most bodies have no such root, which is found out without a list of references.
    exprs.retain(|it| has_root(it, &[root, "resource"]));
    let roots = exprs.into_iter().flat_map(references);
    let own = roots.filter(|it| names(it, resource));
    let problem = Diagnostic::new(&lints::UNDECLARED_REFERENCE, "Self-referential block");
    let address = resource.address();
    own.map(|it| {
        let detail = format!("The configuration of {address} cannot refer to {address} itself.");
        problem.clone().detail(detail).at(Role::Rule, it.span)
    })
    .collect()
}

/// Whether an expression has a root of one of these names somewhere.
fn has_root(expr: &Expr, roots: &[&str]) -> bool {
    guarded(|| match &expr.kind {
        ExprKind::Variable(name) => roots.contains(&name.as_str()),
        _ => {
            let mut found = false;
            expr.for_each_child(&mut |it| found = found || has_root(it, roots));
            found
        }
    })
}

/// Whether a reference names the resource.
fn names(root: &RootReference<'_>, resource: &Resource) -> bool {
    let steps = root.steps();
    let rest = match (resource.mode, root.name) {
        (Mode::Managed, kind) if kind == resource.ty => &steps[..],
        (Mode::Managed, "resource") | (Mode::Data, "data") | (Mode::Ephemeral, "ephemeral") => {
            let Some((ReferenceStep::Attribute(kind), rest)) = steps.split_first() else {
                return false;
            };
            if *kind != resource.ty {
                return false;
            }
            rest
        }
        _ => return false,
    };
    matches!(rest.first(), Some(ReferenceStep::Attribute(name)) if *name == resource.name)
}

/// Errors for arguments that a plan cannot store: JSON has no infinite numbers.
fn unstorable(resource: &Resource, attributes: &BTreeMap<&'static str, Value>) -> Diagnostics {
    let infinite = attributes.iter().filter(|(_, it)| holds_infinity(it));
    let argument = |name: &str| resource.body.argument(name);
    let found = infinite.filter_map(|(name, _)| argument(name)).map(|it| {
        let problem = Diagnostic::new(&lints::FAILED_EVALUATION, "A plan cannot store this value");
        let detail = "It contains an infinite number, which JSON cannot represent.";
        problem.detail(detail).at(Role::Rule, it.expr.span)
    });
    found.collect()
}

fn holds_infinity(value: &Value) -> bool {
    guarded(|| {
        value.as_number().is_some_and(Number::is_infinite)
            || value.as_sequence().is_some_and(|it| it.iter().any(holds_infinity))
            || value.as_mapping().is_some_and(|it| it.values().any(holds_infinity))
    })
}

/// The attributes that a plan knows: `input` and `triggers_replace` as written, and `output`, which
/// equals `input` once it is applied.
fn terraform_data(resource: &Resource, scope: &Scope<'_>) -> BTreeMap<&'static str, Value> {
    let value = |name| argument(resource, name, scope);
    let input = value("input");
    // The provider sees no marks: the output of a sensitive input is not sensitive.
    let marks = input.deep_marks().of_ours();
    let output = if input.is_known() && input.is_null() {
        Value::null(input.ty().clone()).with_marks(marks)
    } else {
        Value::unknown(input.ty().clone()).with_marks(marks | Marks::UNDECIDED)
    };
    let id = Value::unknown_not_null(Type::String).with_marks(Marks::UNDECIDED);
    let triggers_replace = value("triggers_replace");
    let known =
        [("id", id), ("input", input), ("output", output), ("triggers_replace", triggers_replace)];
    known.into_iter().collect()
}

/// The attributes that a plan knows: the given ones, and the outputs of a local state.
fn state_of_others(
    resource: &Resource,
    scope: &Scope<'_>,
    look: Look,
) -> BTreeMap<&'static str, Value> {
    let names = ["backend", "config", "defaults", "workspace"];
    let given = names.into_iter().map(|name| (name, argument(resource, name, scope)));
    let outputs = remote_state::outputs(resource, scope, look);
    given.chain(outputs.map(|it| ("outputs", it))).collect()
}

/// The value of an argument; null where it is left out.
fn argument(resource: &Resource, name: &str, scope: &Scope<'_>) -> Value {
    match resource.body.argument(name) {
        Some(it) => evaluate_in_detail(&it.expr, scope).value,
        None => Value::null(Type::Dynamic),
    }
}

/// Errors for arguments that are in the block `_`, too.
fn duplicates(body: &WrittenBody) -> Diagnostics {
    let mut names = std::collections::BTreeSet::new();
    let again = body.arguments.iter().filter(|it| !names.insert(&it.name.name));
    let problem = |it: &BodyArgument| {
        let problem = Diagnostic::new(&lints::INVALID_MODULE, "Duplicate argument");
        let detail = format!("{} is already set.", it.name.name);
        problem.detail(detail).at(Role::Declaration, it.name.span)
    };
    again.map(problem).collect()
}

/// Errors in the references of the `for_each` of a provider, which OpenTofu evaluates before anything else.
fn provider_keys(for_each: &Expr, scope: &Scope<'_>, is_static: bool) -> Diagnostics {
    let roots = references(for_each);
    let known = ["var", "local", "path", "terraform", "tofu"];
    if let Some(other) = roots.iter().find(|it| !known.contains(&it.name)) {
        let problem = Diagnostic::new(&lints::INVALID_FOR_EACH, "Invalid for_each argument");
        let detail = "The for_each of a provider can refer only to variables, locals and paths, because OpenTofu \
            evaluates it before anything else.";
        return vec![problem.detail(detail).at(Role::Declaration, other.span)];
    }
    if is_static {
        return check_references(for_each, scope);
    }
    let evaluation = evaluate_in_detail(for_each, scope);
    let is_input = |it: &String| it.starts_with("var.");
    if !evaluation.value.is_wholly_known() && !evaluation.undecided.iter().all(is_input) {
        let problem = Diagnostic::new(&lints::INVALID_FOR_EACH, "Invalid for_each argument");
        let detail = "It depends on resources, and OpenTofu evaluates the for_each of a provider before anything else.";
        return vec![problem.detail(detail).at(Role::Declaration, for_each.span)];
    }
    Vec::new()
}

/// Errors in the configuration of a provider, which Terraform checks if the provider is used, or in an
/// action.
pub(super) fn configuration(
    it: &ProviderConfiguration,
    values: &Values<'_>,
    is_used: bool,
    is_static: bool,
) -> Diagnostics {
    // OpenTofu evaluates the `for_each` of a provider in any case.
    let mut found = match &it.repetition.for_each {
        Some(for_each) => provider_keys(for_each, &values.scope(), is_static),
        None if !is_used => return Vec::new(),
        None => Vec::new(),
    };
    if !found.is_empty() {
        return found;
    }
    // An unknown value is an error only where the provider is used.
    let may_be_unknown = is_static || !is_used;
    let (expansion, problems) = repetition::expand(&it.repetition, &values.scope(), may_be_unknown);
    found.extend(problems);
    if !is_used {
        return found;
    }
    for instance in expansion.iter().flat_map(|it| it.instances(is_static)) {
        let data = values.in_instance(&instance);
        let scope = values.scope_of(&data);
        let checking = values.in_instance(&instance).checking();
        let asking = values.scope_of(&checking);
        let is_in_doubt = it.body.overridden.is_some();
        if is_static {
            found.extend(duplicates(&it.body));
            found.extend(built_in::configuration(it, &scope));
        }
        // Only the provider knows what Terraform drops from an overridden body.
        let doubt = |found: &Diagnostics| -> Diagnostics {
            found.iter().map(|found| undecided::dropped(found, &it.address)).collect()
        };
        match (is_in_doubt, is_static) {
            // Doubts of the static pass are not kept, and make the real one look again.
            (true, _) if built_in::takes_nothing(it, &scope) => (),
            (true, _) => {
                let references = body::references(&it.body, &asking);
                let problems = if references.is_empty() {
                    body::evaluate(&it.body, &asking, &asking, Keeping::BySchema)
                } else {
                    references
                };
                found.extend(doubt(&problems));
            }
            (false, _) => {
                if is_static {
                    found.extend(body::references(&it.body, &scope));
                }
                if !has_errors(&found) {
                    found.extend(body::evaluate(&it.body, &scope, &asking, Keeping::BySchema));
                }
            }
        }
    }
    found
}
