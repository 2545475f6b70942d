//! The objects of a plan: resources, data sources, outputs, variables, providers, module calls.

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{
    inferred::Inferred,
    language::{Action, BlockKind},
    plan::{Change, Parts, Plan, PlanJson, Resource, Values, without_keys},
    references::{key_text, origins},
    subjects::{Absent, Acting, Head, PolicySubject, World, object},
};
use tf_value::{Marks, Path, Type, Value};
use verdict::written::ValueOrigin;

/// A plan, whose parts are found by their addresses.
pub(super) struct Planned<'p> {
    plan: &'p Plan,
    /// The configuration's blocks by address; made on first use.
    blocks: OnceCell<HashMap<String, &'p Resource>>,
    /// For each type of resource or data source, the value type of the object that was made last: the next one
    /// mostly has the same and shares it.
    types: RefCell<HashMap<SmolStr, Type>>,
    /// The address and arguments that were read last: they are asked for one after another.
    last: RefCell<(String, Rc<PlanJson>)>,
}

const NONE: &PlanJson = &PlanJson::Null;

impl<'p> Planned<'p> {
    pub fn new(plan: &'p Plan) -> Planned<'p> {
        Planned {
            plan,
            blocks: OnceCell::new(),
            types: RefCell::default(),
            last: RefCell::default(),
        }
    }

    /// The arguments of an object's block.
    fn expressions_of(&self, change: &Change) -> Rc<PlanJson> {
        let address = without_keys(&change.address);
        if self.last.borrow().0 == address {
            return Rc::clone(&self.last.borrow().1);
        }
        let blocks = self.blocks.get_or_init(|| self.plan.configuration.resources());
        let found = blocks.get(address.as_str()).map(|it| it.expressions());
        let found = Rc::new(found.unwrap_or_default());
        *self.last.borrow_mut() = (address, Rc::clone(&found));
        found
    }
}

impl World for Planned<'_> {
    fn len(&self) -> usize {
        self.plan.changes.len()
    }

    fn head(&self, at: usize) -> Head<'_> {
        let change = &self.plan.changes[at];
        Head {
            kind: if change.is_data { BlockKind::Data } else { BlockKind::Resource },
            ty: &change.ty,
            name: &change.name,
            module: &change.module,
        }
    }

    fn key(&self, at: usize) -> Option<String> {
        key_text(&self.plan.changes[at].index)
    }

    fn stays(&self, at: usize) -> Option<bool> {
        Some(self.plan.changes[at].values.action().is_none_or(Action::keeps))
    }

    /// Errors: an action that this program does not know, or no values to judge.
    fn subject(&self, at: usize) -> Result<PolicySubject<'_>, String> {
        let change = &self.plan.changes[at];
        let action = known_action(&change.values, &change.address)?;
        has_values(change, action)?;
        let is_open = action.keeps() && change.values.after_unknown.has_flag();
        let expressions = if is_open { self.expressions_of(change) } else { Rc::default() };
        let like = self.types.borrow().get(&change.ty).cloned().unwrap_or(Type::Dynamic);
        let (attrs, prior) = sides(&change.values, action, &expressions, &like);
        if *attrs.ty() != like {
            self.types.borrow_mut().insert(change.ty.clone(), attrs.ty().clone());
        }
        let before = change.previous_address.as_ref();
        let kind = if change.is_data { BlockKind::Data } else { BlockKind::Resource };
        let is_imported = change.values.importing != PlanJson::Null;
        Ok(PolicySubject {
            acting: Acting::Known { action, is_moved: before.is_some(), is_imported },
            prior,
            meta: Box::new(move || meta(change, action)),
            absent: Absent::Mistake,
            ..PolicySubject::plain(kind, &change.ty, &change.address, attrs)
        })
    }

    fn unasked(&self, at: usize) -> Vec<SmolStr> {
        self.plan.changes[at].names.as_ref().map_or(Vec::new(), |it| it.others())
    }

    fn text(&self, at: usize, name: &str) -> Option<SmolStr> {
        let after = &self.plan.changes[at].values.after;
        after.get(name).and_then(PlanJson::as_str).map(SmolStr::from)
    }

    fn origins(&self, at: usize, path: &Path) -> Vec<ValueOrigin> {
        let change = &self.plan.changes[at];
        origins(&self.plan.configuration, &self.expressions_of(change), change, path)
    }

    fn others(&self) -> Result<Vec<PolicySubject<'_>>, String> {
        others(self.plan)
    }

    fn types(&self) -> Vec<(BlockKind, SmolStr)> {
        let kind = |is_data| if is_data { BlockKind::Data } else { BlockKind::Resource };
        self.plan.types.iter().map(|(is_data, ty)| (kind(*is_data), ty.clone())).collect()
    }

    fn further(&self) -> Option<String> {
        let why = "the plan is incomplete (-target, or deferred changes)";
        (!self.plan.is_complete).then(|| why.to_owned())
    }

    fn tells_what_is_written(&self) -> bool {
        false
    }
}

/// The object `meta`: address, type, action and so on.
fn meta(change: &Change, action: Action) -> Value {
    let text = |it: &SmolStr| Value::string(it);
    let before = change.previous_address.as_ref();
    object([
        ("address", text(&change.address)),
        ("module", text(&change.module)),
        ("type", text(&change.ty)),
        ("name", text(&change.name)),
        ("provider", text(&change.provider)),
        ("key", Parts::of(&change.index).to_value()),
        ("action", Value::string(action.as_str())),
        ("previous_address", before.map_or(Value::null(Type::String), text)),
    ])
}

/// The values after and before the plan. For an object that is deleted or forgotten, both are those before.
fn sides(values: &Values, action: Action, expressions: &PlanJson, like: &Type) -> (Value, Value) {
    let before = || {
        let sensitive = &values.before_sensitive;
        Parts { sensitive, ..Parts::of(&values.before) }.to_value_like(like)
    };
    if !action.keeps() {
        return (before(), before());
    }
    let after = Parts {
        unknown: &values.after_unknown,
        sensitive: &values.after_sensitive,
        expressions: vec![expressions],
        ..Parts::of(&values.after)
    };
    (after.to_value_like(like), before())
}

fn known_action(values: &Values, address: &str) -> Result<Action, String> {
    values.action().ok_or_else(|| {
        let shown = diagnostics::visible_line(address);
        format!("{shown} has unknown actions: {:?}", values.actions)
    })
}

/// Errors: the object's values are missing, as in a plan that Terraform did not write. Nothing would forbid it.
fn has_values(change: &Change, action: Action) -> Result<(), String> {
    let values = &change.values;
    let (name, value) =
        if action.keeps() { ("after", &values.after) } else { ("before", &values.before) };
    let is_unknown = action.keeps() && values.after_unknown.has_flag();
    if matches!(value, PlanJson::Object(_)) || is_unknown && *value == PlanJson::Null {
        return Ok(());
    }
    let shown = diagnostics::visible_line(&change.address);
    Err(format!("{shown} cannot be judged: {name:?} is not an object in its change"))
}

/// Everything but resources and data sources. Errors: an action that this program does not know.
fn others(plan: &Plan) -> Result<Vec<PolicySubject<'_>>, String> {
    let mut found = Vec::new();
    for (name, values) in &plan.outputs {
        found.push(output(plan, name, values)?);
    }
    let root = &plan.configuration.root_module;
    for (name, variable) in &root.variables {
        let given = plan.variables.get(name).map_or(NONE, |it| &it.value);
        let secret =
            if variable.sensitive { Marks::SENSITIVE | Marks::SECRET } else { Marks::NONE };
        let default = variable.default.as_ref().unwrap_or(NONE);
        let attrs = [
            ("value", Parts::of(given).to_value().with_marks(secret)),
            ("default", Parts::of(default).to_value().with_marks(secret)),
            ("sensitive", Value::bool(variable.sensitive)),
            ("description", optional(variable.description.as_deref())),
        ];
        let address = format!("var.{name}");
        found.push(PolicySubject {
            absent: Absent::Mistake,
            untold: &["type", "nullable", "ephemeral", "validation"],
            ..PolicySubject::plain(BlockKind::Variable, name, &address, object(attrs))
        });
    }
    for provider in plan.configuration.provider_config.values() {
        // A plan does not say which arguments of a provider are secrets, so none of them is shown.
        let attrs = written(&provider.expressions, &|_| Marks::SECRET);
        let mut attrs = attrs.as_mapping().cloned().unwrap_or_default();
        attrs.insert("version".into(), optional(provider.version_constraint.as_deref()));
        attrs.insert("alias".into(), optional(provider.alias.as_deref()));
        let module =
            provider.module_address.as_deref().map_or(String::new(), |it| format!("{it}."));
        let alias = provider.alias.as_deref().map_or(String::new(), |it| format!(".{it}"));
        let address = format!("{module}provider.{}{alias}", provider.name);
        let calls = calls_of(provider.module_address.as_deref().unwrap_or_default());
        let inferred = Some(Inferred { plan, calls, expressions: &provider.expressions });
        let attrs = Value::object(attrs);
        let subject = PolicySubject::plain(BlockKind::Provider, &provider.name, &address, attrs);
        let provider = provider.full_name.clone();
        found.push(PolicySubject { provider, inferred, ..subject });
    }
    plan.configuration.each_module(&mut |path, module| {
        for (name, call) in &module.calls {
            let is_secret =
                |name: &str| call.module.variables.get(name).is_some_and(|it| it.sensitive);
            let marks = |name: &str| match is_secret(name) {
                true => Marks::SENSITIVE | Marks::SECRET,
                false => Marks::NONE,
            };
            let attrs = written(&call.expressions, &marks);
            let mut attrs = attrs.as_mapping().cloned().unwrap_or_default();
            attrs.insert("source".into(), optional(call.source.as_deref()));
            attrs.insert("version".into(), optional(call.version_constraint.as_deref()));
            let address = format!("{path}module.{name}");
            let inferred =
                Some(Inferred { plan, calls: calls_of(path), expressions: &call.expressions });
            let subject =
                PolicySubject::plain(BlockKind::Module, name, &address, Value::object(attrs));
            found.push(PolicySubject { inferred, ..subject });
        }
    });
    Ok(found)
}

fn output<'p>(plan: &Plan, name: &str, values: &Values) -> Result<PolicySubject<'p>, String> {
    let address = format!("output.{name}");
    let action = known_action(values, &address)?;
    let (value, prior) = sides(values, action, NONE, &Type::Dynamic);
    let declared = plan.configuration.root_module.outputs.get(name);
    let is_sensitive = declared.is_some_and(|it| it.sensitive);
    let secret = if is_sensitive { Marks::SENSITIVE | Marks::SECRET } else { Marks::NONE };
    let description = declared.and_then(|it| it.description.as_deref());
    let with = |value: Value| {
        object([
            ("value", value.with_marks(secret)),
            ("sensitive", Value::bool(is_sensitive)),
            ("description", optional(description)),
        ])
    };
    Ok(PolicySubject {
        acting: Acting::Known { action, is_moved: false, is_imported: false },
        prior: with(prior),
        absent: Absent::Mistake,
        untold: &["type", "ephemeral", "depends_on", "precondition"],
        ..PolicySubject::plain(BlockKind::Output, name, &address, with(value))
    })
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::null(Type::String), Value::string)
}

/// The names of the calls in a module's address without keys: `module.a.module.b`.
fn calls_of(module: &str) -> Vec<SmolStr> {
    let parts = module.split('.').skip(1).step_by(2);
    parts.map(SmolStr::new).collect()
}

/// The arguments of a block as the configuration has them: constants are known, references are not. `marks`
/// gives the marks of an argument's value.
fn written(expressions: &PlanJson, marks: &dyn Fn(&str) -> Marks) -> Value {
    let PlanJson::Object(all) = expressions else { return Value::object(BTreeMap::new()) };
    let one =
        |(name, it): &(SmolStr, PlanJson)| (name.clone(), written_value(it, marks(name), marks));
    Value::object(all.iter().map(one).collect())
}

fn written_value(expression: &PlanJson, own: Marks, marks: &dyn Fn(&str) -> Marks) -> Value {
    match expression {
        PlanJson::Array(blocks) => {
            Value::tuple(blocks.iter().map(|it| written(it, marks)).collect())
        }
        PlanJson::Object(all) => match all.iter().find(|it| it.0 == "constant_value") {
            Some((_, constant)) => Parts::of(constant).to_value().with_marks(own),
            None if all.iter().any(|it| it.0 == "references") => {
                Value::unknown_not_null(Type::Dynamic).with_marks(own)
            }
            // An expression without constants or references, such as a call: its value is not known. An empty
            // block looks the same.
            None if all.is_empty() => Value::unknown_not_null(Type::Dynamic).with_marks(own),
            None => written(expression, marks),
        },
        _ => Value::unknown(Type::Dynamic).with_marks(own),
    }
}
