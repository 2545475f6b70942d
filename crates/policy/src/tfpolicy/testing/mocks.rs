//! The mocks of a test as a world of objects, which the same code judges as a plan.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use smol_str::SmolStr;

use super::file::{Mock, TestFile, action, evaluate, nothing, null};
use crate::{
    language::{Action, BlockKind},
    subjects::{Absent, Acting, Head, PolicySubject, World, object},
    tfpolicy::{reader::problem, reads::path_of},
};
use diagnostics::Diagnostic;
use hcl::{Expr, ExprKind, ObjectKey};
use stack::guarded;
use tf_eval::{Meter, ReferenceStep, RootReference, references};
use tf_value::{Path, Step, Type, Value};
use verdict::written::ValueOrigin;

/// The mocks of a file, evaluated.
pub(super) struct Mocks<'t> {
    /// Resources and data sources, which refer to each other.
    objects: Vec<Evaluated<'t>>,
    others: Vec<Evaluated<'t>>,
    /// The first error in them.
    pub error: Option<Diagnostic>,
}

struct Evaluated<'t> {
    mock: &'t Mock,
    attrs: Value,
    prior: Value,
    meta: Value,
    action: Action,
    /// Whether it is a resource without any argument, which is not judged.
    is_empty: bool,
}

/// Evaluates mocks, each after those that it refers to.
struct Evaluation<'t> {
    test: &'t TestFile,
    input: Value,
    meter: &'t Meter,
    /// The arguments of mocks by their places; `None` while they are evaluated.
    attrs: RefCell<BTreeMap<usize, Option<Value>>>,
    locals: RefCell<BTreeMap<SmolStr, Option<Value>>>,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'t> Mocks<'t> {
    pub fn new(test: &'t TestFile, input: Value, meter: &'t Meter) -> Mocks<'t> {
        let (attrs, locals) = (RefCell::default(), RefCell::default());
        let evaluation = Evaluation { test, input, meter, attrs, locals };
        let mut mocks = Mocks { objects: Vec::new(), others: Vec::new(), error: None };
        for (at, mock) in test.mocks.iter().enumerate() {
            match evaluation.mock(at, mock) {
                Ok(it) if matches!(mock.kind, BlockKind::Resource | BlockKind::Data) => {
                    mocks.objects.push(it);
                }
                Ok(it) => mocks.others.push(it),
                Err(error) => mocks.error = mocks.error.or(Some(error)),
            }
        }
        mocks
    }
}

impl<'t> Evaluation<'t> {
    fn mock(&self, at: usize, mock: &'t Mock) -> Result<Evaluated<'t>> {
        let attrs = self.attrs(at, mock)?;
        let prior = mock.prior.as_ref().map_or_else(|| Ok(null()), |it| self.value(it))?;
        let given = mock.meta.as_ref().map_or_else(|| Ok(nothing()), |it| self.value(it))?;
        let given = given.as_mapping().cloned().unwrap_or_default();
        let is_empty = |it: &Value| it.as_mapping().is_none_or(BTreeMap::is_empty);
        let operation = given.get("operation").and_then(Value::as_str);
        let (has_attrs, has_prior) = (!is_empty(&attrs), !is_empty(&prior));
        let Some(action) = action(operation, has_attrs, has_prior) else {
            let detail = "Use create, update, delete and no-op.";
            return Err(problem("Unknown operation", detail, mock.span));
        };
        let is_empty = !has_attrs && !has_prior && mock.kind == BlockKind::Resource;
        Ok(Evaluated { mock, meta: meta(mock, action, given), attrs, prior, action, is_empty })
    }

    /// The arguments of a mock.
    fn attrs(&self, at: usize, mock: &Mock) -> Result<Value> {
        if let Some(known) = self.attrs.borrow().get(&at) {
            let cycle = || problem("Mocks refer to each other in a cycle", "", mock.span);
            return known.clone().ok_or_else(cycle);
        }
        self.attrs.borrow_mut().insert(at, None);
        let value = match &mock.attrs {
            None => nothing(),
            Some(expr) => guarded(|| self.arguments(expr))?,
        };
        self.attrs.borrow_mut().insert(at, Some(value.clone()));
        Ok(value)
    }

    /// The value of `attrs`. An argument that refers to something which another mock leaves out, such as its
    /// `id`, is known after apply.
    fn arguments(&self, expr: &Arc<Expr>) -> Result<Value> {
        let ExprKind::Object(items) = &expr.kind else { return self.value(expr) };
        let mut found = BTreeMap::new();
        for item in items {
            let ObjectKey::Name(name) = &item.key else { return self.value(expr) };
            let value = match self.value(&item.value) {
                Ok(it) => it,
                Err(_) if self.is_left_out(&item.value) => Value::unknown_not_null(Type::Dynamic),
                Err(error) => return Err(error),
            };
            found.insert(name.name.clone(), value);
        }
        Ok(Value::object(found))
    }

    /// Whether an expression that fails is a reference to what a sound mock leaves out.
    fn is_left_out(&self, expr: &Expr) -> bool {
        let found = references(expr);
        let [root] = found.as_slice() else { return false };
        let place = self.place(root).filter(|_| root.whole().span == expr.span);
        place.is_some_and(|at| matches!(self.attrs.borrow().get(&at), Some(Some(_))))
    }

    /// The place of the mock that a reference names.
    fn place(&self, root: &RootReference<'_>) -> Option<usize> {
        let (kind, label, name) = named(root)?;
        let is_it = |it: &Mock| it.kind == kind && it.label == label && it.name == name;
        self.test.mocks.iter().position(is_it)
    }

    fn value(&self, expr: &Expr) -> Result<Value> {
        let mut names: BTreeMap<SmolStr, Value> = BTreeMap::new();
        for root in references(expr) {
            match (root.name, root.first) {
                ("input", _) => _ = names.insert("input".into(), self.input.clone()),
                ("local", Some(ReferenceStep::Attribute(name))) => {
                    let value = guarded(|| self.local(name, &root))?;
                    add(&mut names, "local", &[name], value);
                }
                _ => {
                    let Some(at) = self.place(&root) else {
                        let detail = "No mock in this file has this type and name.";
                        return Err(problem("Reference to an unknown mock", detail, root.span));
                    };
                    let value = guarded(|| self.attrs(at, &self.test.mocks[at]))?;
                    let path: Vec<Step> = path_of(&root).0;
                    let path: Vec<&str> = path.iter().filter_map(name_of).collect();
                    let depth = if root.name == "data" { 2 } else { 1 };
                    add(&mut names, root.name, path.get(..depth).unwrap_or_default(), value);
                }
            }
        }
        let names: Vec<(SmolStr, Value)> = names.into_iter().collect();
        evaluate(expr, &names, self.meter)
            .map_err(|(why, span)| problem("The expression fails", why, span))
    }

    fn local(&self, name: &str, root: &RootReference<'_>) -> Result<Value> {
        if let Some(known) = self.locals.borrow().get(name) {
            let cycle = || problem("Locals refer to each other in a cycle", "", root.span);
            return known.clone().ok_or_else(cycle);
        }
        let Some(definition) = self.test.locals.get(name) else {
            let detail = format!("The local {name:?} is not declared.");
            return Err(problem("Reference to an undeclared local", detail, root.span));
        };
        self.locals.borrow_mut().insert(name.into(), None);
        let value = self.value(definition)?;
        self.locals.borrow_mut().insert(name.into(), Some(value.clone()));
        Ok(value)
    }
}

fn name_of(step: &Step) -> Option<&str> {
    match step {
        Step::Attribute(name) => Some(name),
        Step::Index(_) => None,
    }
}

/// The kind, type and name in `TYPE.NAME` or `data.TYPE.NAME`.
fn named(root: &RootReference<'_>) -> Option<(BlockKind, SmolStr, SmolStr)> {
    let path = path_of(root);
    let mut names = path.0.iter().map_while(name_of);
    Some(match root.name {
        "data" => (BlockKind::Data, names.next()?.into(), names.next()?.into()),
        ty => (BlockKind::Resource, ty.into(), names.next()?.into()),
    })
}

/// Adds a value at a path below a root.
fn add(names: &mut BTreeMap<SmolStr, Value>, root: &str, path: &[&str], value: Value) {
    let before = names.remove(root);
    names.insert(root.into(), with(before.as_ref(), path, value));
}

fn with(before: Option<&Value>, path: &[&str], value: Value) -> Value {
    let Some((first, rest)) = path.split_first() else { return value };
    let mut all = before.and_then(Value::as_mapping).cloned().unwrap_or_default();
    let inside = all.remove(*first);
    all.insert((*first).into(), with(inside.as_ref(), rest, value));
    Value::object(all)
}

/// The object `meta` of a mock: what is given, and what follows from the mock for the rest.
fn meta(mock: &Mock, action: Action, given: BTreeMap<SmolStr, Value>) -> Value {
    let text = Value::string;
    let stack = object([
        ("deployment_group", text("")),
        ("deployment_name", text("")),
        ("stack_name", text("")),
    ]);
    let base = match mock.kind {
        BlockKind::Resource | BlockKind::Data => {
            let provider = mock.label.split('_').next().unwrap_or_default();
            object([
                ("module_path", text(".")),
                ("operation", text(action.as_str())),
                ("provider_type", text(provider)),
                ("tfe_stack", stack),
                ("tfe_workspace", object([("tags", nothing())])),
                ("type", text(&mock.label)),
            ])
        }
        BlockKind::Module => object([
            ("address", null()),
            ("source", text(&mock.label)),
            ("tfe_stack", stack),
            ("version", null()),
        ]),
        _ => object([
            ("alias", null()),
            ("name", text(&mock.label)),
            ("namespace", null()),
            ("source", null()),
            ("tfe_stack", stack),
            ("type", text(&mock.label)),
            ("version", null()),
        ]),
    };
    let mut all = base.as_mapping().cloned().unwrap_or_default();
    all.extend(given);
    Value::object(all)
}

impl World for Mocks<'_> {
    fn len(&self) -> usize {
        self.objects.len()
    }

    fn head(&self, at: usize) -> Head<'_> {
        let mock = self.objects[at].mock;
        Head { kind: mock.kind, ty: &mock.label, name: &mock.name, module: "" }
    }

    fn key(&self, _at: usize) -> Option<String> {
        None
    }

    fn stays(&self, at: usize) -> Option<bool> {
        Some(self.objects[at].action.keeps())
    }

    fn subject(&self, at: usize) -> std::result::Result<PolicySubject<'_>, String> {
        Ok(subject(&self.objects[at]))
    }

    fn text(&self, at: usize, name: &str) -> Option<SmolStr> {
        let value = self.objects[at].attrs.as_mapping()?.get(name)?;
        value.as_str().filter(|_| value.is_known()).map(SmolStr::from)
    }

    fn origins(&self, at: usize, path: &Path) -> Vec<ValueOrigin> {
        vec![self.origin(at, path).unwrap_or(ValueOrigin::Unknown)]
    }

    fn others(&self) -> std::result::Result<Vec<PolicySubject<'_>>, String> {
        Ok(self.others.iter().map(subject).collect())
    }

    fn types(&self) -> Vec<(BlockKind, SmolStr)> {
        self.objects.iter().map(|it| (it.mock.kind, it.mock.label.clone())).collect()
    }

    fn tells_what_is_written(&self) -> bool {
        false
    }
}

impl Mocks<'_> {
    /// Whether a mock has no argument at all, so that it is not judged.
    pub fn is_empty(&self, mock: &Mock) -> bool {
        self.objects.iter().any(|it| it.is_empty && it.mock.address == mock.address)
    }

    /// The origin of an argument that is a reference to another mock.
    fn origin(&self, at: usize, path: &Path) -> Option<ValueOrigin> {
        let [Step::Attribute(name)] = path.0.as_slice() else { return None };
        let ExprKind::Object(items) = &self.objects[at].mock.attrs.as_ref()?.kind else {
            return None;
        };
        let is_it = |it: &ObjectKey| matches!(it, ObjectKey::Name(it) if it.name == *name);
        let value = &items.iter().find(|it| is_it(&it.key))?.value;
        let found = references(value);
        let [root] = found.as_slice() else {
            return found.is_empty().then_some(ValueOrigin::Literal);
        };
        let (kind, ty, name) = named(root)?;
        let prefix = if kind == BlockKind::Data { "data." } else { "" };
        let block = format!("{prefix}{ty}.{name}");
        let is_reference = root.whole().span == value.span;
        let is_here = self
            .objects
            .iter()
            .any(|it| it.mock.kind == kind && it.mock.label == ty && it.mock.name == name);
        (is_reference && is_here).then(|| ValueOrigin::Block {
            module: String::new(),
            block,
            key: None,
        })
    }
}

fn subject<'s>(it: &Evaluated<'s>) -> PolicySubject<'s> {
    let mock = it.mock;
    let meta = it.meta.clone();
    let acting = match mock.kind {
        BlockKind::Resource => {
            Acting::Known { action: it.action, is_moved: false, is_imported: false }
        }
        _ => Acting::Nothing,
    };
    let mut attrs = it.attrs.clone();
    if mock.kind == BlockKind::Module {
        let mut all = attrs.as_mapping().cloned().unwrap_or_default();
        let source = it.meta.as_mapping().and_then(|it| it.get("source")).cloned();
        all.insert("source".into(), source.unwrap_or_else(null));
        attrs = Value::object(all);
    }
    PolicySubject {
        acting,
        prior: it.prior.clone(),
        meta: Box::new(move || meta.clone()),
        absent: Absent::Mistake,
        ..PolicySubject::plain(mock.kind, &mock.label, &mock.address, attrs)
    }
}
