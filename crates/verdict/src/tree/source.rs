//! Sources of calls that are evaluated before everything else: they refer to locals, to the paths, and
//! to variables whose values are known by then.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::Builder;
use diagnostics::{Cause, Diagnostic, Diagnostics, Role, Span, lints};
use hcl::Expr;
use module::{
    BodyArgument, Module, ModuleCall, Values, Variable, selected_workspace, source_address,
};
use release::{Constraints, Product, changes};
use tf_eval::{EvalHost, RootReference, Scope, check_references, evaluate_in_detail, references};
use tf_value::{Type, Value, convert};

/// The result of evaluating a source.
pub(super) enum Source {
    Text(SmolStr),
    /// Unknown: it depends on something that is not known here.
    Open(String),
    /// Refused, with the error.
    Refused(Diagnostics),
}

/// Values that are known before a plan: those that inputs give to the root's variables, where the inputs
/// are known.
pub type KnownInputs = BTreeMap<SmolStr, Value>;

impl Builder<'_> {
    /// Evaluates the source of a call in the module with an index; `None` is the root.
    pub(super) fn evaluate_source(&self, parent: Option<usize>, expr: &Expr) -> Source {
        if expr.is_broken() {
            return Source::Open("its source could not be read".to_owned());
        }
        let release = self.reading.options.release;
        let roots: &[&str] = match release.product() {
            Product::Terraform => &["var", "local", "path"],
            Product::OpenTofu => &["var", "local", "path", "terraform", "tofu"],
        };
        let refused = |summary: &str, detail: &str, span: Span| {
            let problem = Diagnostic::new(&lints::INVALID_MODULE, summary).detail(detail);
            Source::Refused(vec![problem.at(Role::Declaration, span)])
        };
        if let Some(it) = references(expr).iter().find(|it| !roots.contains(&it.name)) {
            let detail = "A module source can refer only to locals, to constant variables and \
                to paths.";
            return refused("Invalid module source", detail, it.span);
        }
        let evaluated = self.statically(parent, |scope| {
            let mut found = check_references(expr, scope);
            let evaluation = evaluate_in_detail(expr, scope);
            found.extend(evaluation.diagnostics);
            (evaluation.value, found)
        });
        let (value, found) = evaluated;
        if !found.is_empty() {
            return Source::Refused(found);
        }
        let (value, marks) = value.unmark_deep();
        if !value.is_known() && self.is_open() {
            return Source::Open("its source depends on input values".to_owned());
        }
        let is_marked = !marks.of_terraform().is_empty();
        if value.is_known() && !is_marked && marks.is_secret() {
            return Source::Open("its source comes from a sensitive value".to_owned());
        }
        if !value.is_known() || is_marked {
            let detail = match release.product() {
                _ if is_marked => "The source of a module must not be sensitive.",
                Product::Terraform => {
                    "Terraform must know the source first, so a variable in it needs \"const = \
                    true\". OpenTofu allows any variable: use --opentofu."
                }
                Product::OpenTofu => "OpenTofu must know the source first.",
            };
            let mut found = refused("Unknown module source", detail, expr.span);
            if let (Source::Refused(found), false) = (&mut found, is_marked) {
                found.iter_mut().for_each(|it| it.cause = Some(Cause::VariableInSource));
            }
            return found;
        }
        let text = convert(&value, &Type::String).ok();
        match text.as_ref().and_then(Value::as_str) {
            Some(it) => match source_address::refusal(it) {
                Some(reason) => refused("Invalid module source address", &reason, expr.span),
                None => Source::Text(it.into()),
            },
            None => refused("Unsuitable module source", "It must be a string.", expr.span),
        }
    }

    /// Errors for the `version` of a call with this source, where Terraform evaluates it. Null says nothing.
    pub(super) fn check_version(
        &self,
        parent: Option<usize>,
        call: &ModuleCall,
        source: &str,
    ) -> Diagnostics {
        let release = self.reading.options.release;
        let is_evaluated = release.has(&changes::SOURCE_VARIABLES);
        let Some(argument) = call.computed_version.as_ref().filter(|_| is_evaluated) else {
            return Vec::new();
        };
        let expr = &argument.expr;
        if expr.is_broken() {
            return Vec::new();
        }
        let refused = |summary: &str, detail: &str, span: Span| {
            let problem = Diagnostic::new(&lints::INVALID_MODULE, summary).detail(detail);
            vec![problem.at(Role::Declaration, span)]
        };
        let roots: &[&str] = match release.product() {
            Product::Terraform => &["var", "local"],
            Product::OpenTofu => &["var", "local", "path", "terraform", "tofu"],
        };
        let is_other = |it: &&RootReference<'_>| !roots.contains(&it.name);
        if let Some(it) = references(expr).iter().find(is_other) {
            let detail =
                "The version of a module can refer only to locals and to constant variables.";
            return refused("Invalid module version", detail, it.span);
        }
        let (value, found) = self.statically(parent, |scope| {
            let mut found = check_references(expr, scope);
            let evaluation = evaluate_in_detail(expr, scope);
            found.extend(evaluation.diagnostics);
            (evaluation.value, found)
        });
        if !found.is_empty() {
            return found;
        }
        let (value, marks) = value.unmark_deep();
        if value.is_known() && value.is_null() || !value.is_known() && self.is_open() {
            return Vec::new();
        }
        let wrong = ("Incorrect value type", "The version of a module must be a string.");
        let Ok(text) = convert(&value, &Type::String) else {
            return refused(wrong.0, wrong.1, expr.span);
        };
        let is_marked = !marks.of_terraform().is_empty();
        if !text.is_known() || is_marked {
            let detail = match is_marked {
                true => "The version of a module must not be sensitive.",
                false if release.product() == Product::OpenTofu => {
                    "OpenTofu must know the version first."
                }
                false => {
                    "Terraform must know the version first, so a variable in it needs \"const = true\"."
                }
            };
            return refused("Unknown module version", detail, expr.span);
        }
        let Some(text) = text.as_str() else { return refused(wrong.0, wrong.1, expr.span) };
        if Constraints::parse(text).is_none() {
            let detail = "It is not a version constraint such as \">= 1.2.0\".";
            return refused("Invalid version constraint", detail, expr.span);
        }
        let reason = source_address::registry_refusal(source);
        reason.map_or_else(Vec::new, |reason| {
            refused("Invalid registry module source address", reason, expr.span)
        })
    }

    /// Errors in the values of the root's backend, which OpenTofu evaluates before everything else.
    pub(super) fn check_backend(&self) -> Diagnostics {
        let mut all = Vec::new();
        for it in &self.root.backend_values {
            let (evaluation, mut found) = self.statically(None, |scope| {
                (evaluate_in_detail(&it.expr, scope), check_references(&it.expr, scope))
            });
            found.extend(evaluation.diagnostics);
            if found.is_empty() {
                let is_input = |it: &String| it.starts_with("var.");
                let rests_on_plan = !evaluation.undecided.iter().all(is_input);
                let (value, marks) = evaluation.value.unmark_deep();
                let unfit = it.ty.as_ref().and_then(|ty| convert(&value, ty).err());
                let refusal = if !marks.of_terraform().is_empty() {
                    let detail = "OpenTofu stores them in files.".to_owned();
                    Some(("Backend config contains sensitive values", detail))
                } else if let Some(error) = unfit {
                    Some(("Incorrect attribute value type", format!("{}.", error.reason)))
                } else if !value.is_wholly_known() && rests_on_plan {
                    let detail = "OpenTofu must know the value before it evaluates anything else.";
                    Some(("Unable to compute static value", detail.to_owned()))
                } else {
                    None
                };
                found.extend(refusal.map(|(summary, detail)| {
                    let problem = Diagnostic::new(&lints::INVALID_MODULE, summary).detail(detail);
                    problem.at(Role::Declaration, it.expr.span)
                }));
            }
            all.extend(found);
        }
        all
    }

    /// Errors for arguments of a called module's constant variables that are not constant.
    pub(super) fn unfit_constants(
        &self,
        parent: Option<usize>,
        call: &ModuleCall,
        called: &Module,
    ) -> Diagnostics {
        if !self.reading.options.release.has(&changes::CONST_CALLS) {
            return Vec::new();
        }
        let is_constant =
            |name: &SmolStr| called.variables.get(name).is_some_and(|it| it.constant == Some(true));
        let mut given = call.arguments.iter().filter(|(name, _)| is_constant(name)).peekable();
        if given.peek().is_none() {
            return Vec::new();
        }
        let values: Vec<(&SmolStr, &BodyArgument, Value)> = self.statically(parent, |scope| {
            let value = |it: &BodyArgument| evaluate_in_detail(&it.expr, scope).value;
            given.map(|(name, it)| (name, it, value(it))).collect()
        });
        let is_open = self.is_open();
        let unfit = values.into_iter().filter(|(_, it, value)| {
            !(value.is_wholly_known() || is_open && Self::may_be_given(&it.expr))
        });
        let problem = |(name, it, _): (&SmolStr, &BodyArgument, Value)| {
            let detail =
                format!("The variable \"{name}\" is const, so its value must be known first.");
            let problem = Diagnostic::new(&lints::INVALID_MODULE, "Const variables must be known");
            problem.detail(detail).at(Role::Declaration, it.expr.span)
        };
        unfit.map(problem).collect()
    }

    /// Whether inputs that are not known here may give values before a plan.
    fn is_open(&self) -> bool {
        let is_static = |it: &Variable| self.is_static(it.constant);
        self.reading.given.is_none() && self.root.variables.values().any(is_static)
    }

    fn may_be_given(expr: &Expr) -> bool {
        references(expr).iter().all(|it| ["var", "local"].contains(&it.name))
    }

    fn module_at(&self, index: Option<usize>) -> &Module {
        index.map_or(&*self.root, |it| &self.tree.called[it].module.module)
    }

    /// Whether a source may refer to a variable with this `const`.
    fn is_static(&self, constant: Option<bool>) -> bool {
        self.reading.options.release.product() == Product::OpenTofu || constant == Some(true)
    }

    /// Evaluates an expression in a module with the values that are known before a plan.
    fn statically<T>(&self, index: Option<usize>, evaluate: impl FnOnce(&Scope<'_>) -> T) -> T {
        let (system, meter) = (self.reading.system, self.reading.meter);
        let release = self.reading.options.release;
        let host = EvalHost::metered(system, &self.root.dir, release, meter);
        let module = self.module_at(index);
        let path = index.map_or(".", |it| &self.tree.called[it].path);
        // Only sources in OpenTofu may read it.
        let workspace = selected_workspace(system, &self.root.dir, release).ok().flatten();
        let known = self.static_values(index);
        let values = Values::new(module, known, workspace.as_deref(), &host, release).at(path);
        evaluate(&values.scope())
    }

    /// The values of a module's variables that are known before a plan, computed once for each module.
    fn static_values(&self, index: Option<usize>) -> BTreeMap<SmolStr, Value> {
        if let Some(it) = self.statics.borrow().get(&index) {
            return it.clone();
        }
        let found = self.find_static_values(index);
        self.statics.borrow_mut().insert(index, found.clone());
        found
    }

    fn find_static_values(&self, index: Option<usize>) -> BTreeMap<SmolStr, Value> {
        let module = self.module_at(index);
        let known = module.variables.values().filter(|it| self.is_static(it.constant));
        let Some(index) = index else {
            let Some(given) = self.reading.given else { return BTreeMap::new() };
            let value = |it: &Variable| given.get(&it.name).or(it.default.as_ref()).cloned();
            return known.filter_map(|it| Some((it.name.clone(), value(it)?))).collect();
        };
        let called = &self.tree.called[index];
        // The root's calls are taken out of it while they are followed.
        let calls = match called.parent {
            None => &*self.root_calls,
            parent => &self.module_at(parent).calls,
        };
        let call = calls.get(&called.call);
        let is_default_for_null = self.reading.options.release.has(&changes::SOURCE_NULL);
        self.statically(called.parent, |scope| {
            let value = |variable: &Variable| {
                let Some(argument) = call.and_then(|call| call.arguments.get(&variable.name))
                else {
                    return variable.default.clone();
                };
                let given = evaluate_in_detail(&argument.expr, scope).value;
                let value = variable.constraint.accept(&given).ok()?;
                // Null means "not given" where null is not allowed.
                if is_default_for_null && !variable.is_nullable() && value.is_null() {
                    return variable.instead_of_null().cloned();
                }
                Some(value)
            };
            known.filter_map(|it| Some((it.name.clone(), value(it)?))).collect()
        })
    }
}
