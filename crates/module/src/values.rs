//! The values of a module's variables and locals, as expressions refer to them.

use std::{cell::RefCell, collections::BTreeMap};

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{Module, Variable, file::UNADDRESSED, written::Arguments};
use diagnostics::{Diagnostics, MOST_NAMES};
use release::{Release, changes};
use stack::guarded;
use system::paths;
use tf_eval::{
    Data, Evaluation, Instance, Namespace, Provider, Scope, WrittenArgument, functions::Host,
};
use tf_value::{Marks, Type, Value};

/// Known values.
#[derive(Debug, Default)]
pub struct Known {
    /// With their marks.
    pub variables: BTreeMap<SmolStr, Value>,
    pub locals: HashMap<SmolStr, Evaluation>,
    /// By kind and name.
    pub objects: HashMap<(SmolStr, SmolStr), Value>,
}

/// The values that a module's expressions see. Locals are evaluated when they are first asked for,
/// once; a cycle of locals ends in a dynamic unknown.
pub struct Values<'a> {
    pub(super) module: &'a Module,
    /// With their marks; a declared variable without an entry is a typed unknown.
    variables: BTreeMap<SmolStr, Value>,
    /// The known values of resources, data sources and module calls, by kind and name.
    objects: HashMap<(SmolStr, SmolStr), Value>,
    /// The plan's values that variables depend on.
    reasons: HashMap<SmolStr, Vec<String>>,
    /// `path.module`
    path: SmolStr,
    /// Whether every reference is known to name something declared.
    is_checked: bool,
    /// The selected workspace; `None` where nothing says how Terraform is run: then the workspace and the working
    /// directory are undecided.
    workspace: Option<&'a str>,
    host: &'a dyn Host,
    release: Release,
    /// An evaluation; `None` while it is in progress.
    locals: RefCell<HashMap<SmolStr, Option<Evaluation>>>,
    /// The written values of resources' arguments, where they are asked for.
    pub(super) written: Option<RefCell<Arguments>>,
}

impl<'a> Values<'a> {
    /// Takes the variables' final values, after conversion. A declared variable without one is a typed
    /// unknown, so an empty map gives Terraform's static pass. Values of sensitive and ephemeral
    /// variables are marked here.
    pub fn new(
        module: &'a Module,
        variables: BTreeMap<SmolStr, Value>,
        workspace: Option<&'a str>,
        host: &'a dyn Host,
        release: Release,
    ) -> Self {
        let marks =
            |name: &SmolStr| module.variables.get(name).map_or(Marks::NONE, Variable::marks);
        let marked = |(name, value): (SmolStr, Value)| {
            let marks = marks(&name);
            (name, value.with_marks(marks))
        };
        let variables = variables.into_iter().map(marked).collect();
        let (locals, objects, path) = (RefCell::default(), HashMap::default(), ".".into());
        Values {
            module,
            variables,
            objects,
            reasons: HashMap::default(),
            path,
            is_checked: false,
            workspace,
            host,
            release,
            locals,
            written: None,
        }
    }

    /// For reading a module as written, not for a verdict: references to arguments that resources write
    /// are followed, since a provider keeps these.
    pub fn following_written(self) -> Self {
        Values { written: Some(RefCell::default()), ..self }
    }

    /// For a module at another path, as seen from the root module's directory.
    pub fn at(self, path: impl Into<SmolStr>) -> Self {
        Values { path: path.into(), ..self }
    }

    /// For a module whose references were all checked before, so that nothing checks them again.
    pub fn checked(self) -> Self {
        Values { is_checked: true, ..self }
    }

    /// Sets a variable's final value. Locals that were evaluated before do not change.
    pub fn set(&mut self, variable: &Variable, value: Value) {
        self.variables.insert(variable.name.clone(), value.with_marks(variable.marks()));
    }

    /// Sets a value that has its marks already.
    pub fn set_marked(&mut self, name: &SmolStr, value: Value) {
        self.variables.insert(name.clone(), value);
    }

    /// A variable's value with its marks, if it is set.
    pub fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    /// Sets the plan's values that a variable's value depends on.
    pub fn set_reasons(&mut self, name: &SmolStr, reasons: Vec<String>) {
        self.reasons.insert(name.clone(), reasons);
    }

    /// Makes a variable a typed unknown again.
    pub fn forget(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Sets a variable to its value without inputs: its default, or unknown.
    pub fn reset(&mut self, variable: &Variable) {
        match &variable.default {
            Some(default) => self.set(variable, default.clone()),
            None => _ = self.variables.remove(&variable.name),
        }
    }

    /// Sets the value of a resource, data source or module call.
    pub fn set_object(&mut self, kind: &str, name: &str, value: Value) {
        self.objects.insert((kind.into(), name.into()), value);
    }

    /// Makes the value of a resource, data source or module call one that only a plan knows.
    pub fn forget_object(&mut self, kind: &str, name: &str) {
        self.objects.remove(&(kind.into(), name.into()));
    }

    /// Sets the evaluation of a local.
    pub fn set_local(&mut self, name: &SmolStr, evaluation: Evaluation) {
        self.locals.get_mut().insert(name.clone(), Some(evaluation));
    }

    /// The known values.
    pub fn into_known(self) -> Known {
        let Values { variables, objects, locals, .. } = self;
        let locals = locals.into_inner().into_iter();
        let locals = locals.filter_map(|(name, it)| Some((name, it?))).collect();
        Known { variables, locals, objects }
    }

    /// The scope of all expressions but rules of variables.
    pub fn scope(&self) -> Scope<'_> {
        Scope { data: self, host: self.host, release: self.release }
    }

    /// The view of a variable's rules: there its own value is not marked as sensitive, only as
    /// ephemeral.
    pub fn in_rules_of<'v>(&'v self, name: &'v str) -> View<'v> {
        View { values: self, ruled: Some(name), instance: None, checks: false }
    }

    /// Whether a variable's own rules see its value before the declaration marks it as sensitive.
    fn is_marked_after_rules(&self, name: &str) -> bool {
        let is_declared =
            || self.module.variables.get(name).is_some_and(|it| it.sensitive == Some(true));
        !self.release.has(&changes::OWN_SENSITIVE) && is_declared()
    }

    /// The view of an instance of a resource or call.
    pub fn in_instance<'v>(&'v self, instance: &'v Instance) -> View<'v> {
        View { values: self, ruled: None, instance: Some(instance), checks: false }
    }

    /// The scope of such a view.
    pub fn scope_of<'v>(&'v self, data: &'v View<'v>) -> Scope<'v> {
        Scope { data, host: self.host, release: self.release }
    }

    /// The evaluation of a declared local.
    pub fn local(&self, name: &str) -> Option<Evaluation> {
        let local = self.module.locals.get(name)?;
        if let Some(known) = self.locals.borrow().get(name) {
            return Some(known.clone().unwrap_or_else(unfinished));
        }
        self.locals.borrow_mut().insert(local.name.clone(), None);
        let evaluation = guarded(|| tf_eval::evaluate_in_detail(&local.expr, &self.scope()));
        self.locals.borrow_mut().insert(local.name.clone(), Some(evaluation.clone()));
        Some(evaluation)
    }

    /// Evaluates every local, and returns the errors in declaration order.
    pub fn check_locals(&self) -> Diagnostics {
        let names = self.module.locals.keys();
        names.filter_map(|it| self.local(it)).flat_map(|it| it.diagnostics).collect()
    }

    fn working_dir(&self) -> Value {
        let dir = self.host.system().current_dir();
        Value::string(dir.map_or_else(|_| ".".to_owned(), |it| paths::slashes(&it)))
    }
}

impl Data for Values<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        let found = match namespace {
            Namespace::Variable => {
                let known = self.variables.get(name).cloned();
                known.or_else(|| self.module.variables.get(name).map(unknown))
            }
            Namespace::Local => self.local(name).map(|it| it.value),
        };
        let undecided = || Value::unknown(Type::Dynamic).with_marks(Marks::UNDECIDED);
        found.or_else(|| self.module.open.is_some().then(undecided))
    }

    fn open(&self) -> Option<&str> {
        self.module.open.as_deref()
    }

    fn has(&self, namespace: Namespace, name: &str) -> bool {
        match namespace {
            Namespace::Variable => self.module.variables.contains_key(name),
            Namespace::Local => self.module.locals.contains_key(name),
        }
    }

    fn is_checked(&self) -> bool {
        self.is_checked
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        match namespace {
            Namespace::Variable => first_names(self.module.variables.keys()),
            Namespace::Local => first_names(self.module.locals.keys()),
        }
    }

    fn declares(&self, kind: &str, name: &str) -> bool {
        !UNADDRESSED.contains(&kind)
            && self.module.declared.contains_key(&(kind.into(), name.into()))
    }

    fn written(&self, asked: &WrittenArgument<'_>) -> Option<Value> {
        self.argument(asked)
    }

    fn tells_what_is_written(&self) -> bool {
        self.written.is_some()
    }

    fn is_repeated(&self, kind: &str, name: &str) -> Option<bool> {
        let repetition = match kind {
            "module" => &self.module.calls.get(name)?.repetition,
            _ => &self.module.resources.get(&(kind.into(), name.into()))?.repetition,
        };
        Some(repetition.expr().is_some())
    }

    fn check_of(&self, kind: &str, name: &str) -> Option<String> {
        let resource = self.module.resources.get(&(SmolStr::new(kind), SmolStr::new(name)))?;
        resource.check.as_ref().map(ToString::to_string)
    }

    fn object(&self, kind: &str, name: &str) -> Option<Value> {
        self.objects.get(&(SmolStr::new(kind), SmolStr::new(name))).cloned()
    }

    fn builtin(&self, root: &str, name: &str) -> Option<Value> {
        let open = || Value::unknown(Type::String).with_marks(Marks::UNDECIDED);
        match (root, name) {
            ("path", "root") => Some(Value::string(".")),
            ("path", "module") => Some(Value::string(&self.path)),
            // Terraform can run in the root module or, with `-chdir`, anywhere.
            ("path", "cwd") => Some(self.workspace.map_or_else(open, |_| self.working_dir())),
            // The value is false during a plan; as an ephemeral value it is never in the plan.
            ("terraform", "applying") if self.release.has(&changes::APPLYING) => {
                Some(Value::bool(false).with_marks(Marks::EPHEMERAL))
            }
            ("terraform", "workspace") => Some(self.workspace.map_or_else(open, Value::string)),
            _ => None,
        }
    }

    fn provider(&self, name: &str) -> Option<Provider> {
        self.module.provider_of_functions(name)
    }

    fn undecided(&self, namespace: Namespace, name: &str) -> Vec<String> {
        match namespace {
            Namespace::Variable => self.reasons.get(name).cloned().unwrap_or_default(),
            Namespace::Local => self.local(name).map(|it| it.undecided).unwrap_or_default(),
        }
    }
}

/// The values as one place in the module sees them.
#[derive(Clone, Copy)]
pub struct View<'v> {
    values: &'v Values<'v>,
    /// The variable whose rules see this view.
    ruled: Option<&'v str>,
    instance: Option<&'v Instance>,
    /// Whether references are checked here even if those of the module are known to be sound.
    checks: bool,
}

impl View<'_> {
    /// For a place where the set of valid references changes.
    #[must_use]
    pub fn checking(self) -> Self {
        View { checks: true, ..self }
    }
}

impl Data for View<'_> {
    fn value(&self, namespace: Namespace, name: &str) -> Option<Value> {
        let value = self.values.value(namespace, name)?;
        if namespace == Namespace::Variable
            && self.ruled == Some(name)
            && self.values.is_marked_after_rules(name)
        {
            let (value, marks) = value.unmark();
            return Some(value.with_marks(marks.without(Marks::SENSITIVE)));
        }
        Some(value)
    }

    fn names(&self, namespace: Namespace) -> Vec<String> {
        self.values.names(namespace)
    }

    fn has(&self, namespace: Namespace, name: &str) -> bool {
        self.values.has(namespace, name)
    }

    fn is_checked(&self) -> bool {
        !self.checks && self.values.is_checked()
    }

    fn open(&self) -> Option<&str> {
        self.values.open()
    }

    fn declares(&self, kind: &str, name: &str) -> bool {
        self.values.declares(kind, name)
    }

    fn object(&self, kind: &str, name: &str) -> Option<Value> {
        self.values.object(kind, name)
    }

    fn written(&self, asked: &WrittenArgument<'_>) -> Option<Value> {
        self.values.written(asked)
    }

    fn tells_what_is_written(&self) -> bool {
        self.values.tells_what_is_written()
    }

    fn is_repeated(&self, kind: &str, name: &str) -> Option<bool> {
        self.values.is_repeated(kind, name)
    }

    fn instance(&self) -> Option<&Instance> {
        self.instance
    }

    fn builtin(&self, root: &str, name: &str) -> Option<Value> {
        self.values.builtin(root, name)
    }

    fn check_of(&self, kind: &str, name: &str) -> Option<String> {
        self.values.check_of(kind, name)
    }

    fn provider(&self, name: &str) -> Option<Provider> {
        self.values.provider(name)
    }

    fn undecided(&self, namespace: Namespace, name: &str) -> Vec<String> {
        self.values.undecided(namespace, name)
    }
}

/// A typed unknown in place of a variable.
fn unknown(variable: &Variable) -> Value {
    Value::unknown(variable.constraint.ty.without_optional()).with_marks(variable.marks())
}

/// The result for a local that refers to itself.
fn unfinished() -> Evaluation {
    Evaluation {
        value: Value::unknown(Type::Dynamic),
        diagnostics: Vec::new(),
        undecided: Vec::new(),
    }
}

/// As many names as a suggestion compares.
fn first_names<'n>(names: impl Iterator<Item = &'n SmolStr>) -> Vec<String> {
    names.take(MOST_NAMES).map(ToString::to_string).collect()
}
