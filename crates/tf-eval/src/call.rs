//! `name(args…)`, with expansion of the last argument and namespaces.

use std::borrow::Cow;

use super::{
    Provider, evaluate_constant,
    evaluator::{Evaluator, dynamic},
};
use crate::functions::{
    self, CallContext, CallError, Failure, Function, ReturnType, built_in_provider,
};
use diagnostics::{Diagnostic, EvalError, Span, did_you_mean};
use hcl::{Expr, ExprKind, Ident};
use release::changes;
use tf_value::{Marks, Type, Value, typeexpr};

const NO_TYPE: &str = "Write a type as a keyword such as string, or as a constructor such as \
    list(string).";

/// An argument: as written, or an element of the expanded last one.
#[derive(Clone, Debug)]
pub(super) enum Argument<'e> {
    Expr(&'e Expr),
    Value(Value, Span),
}

impl Argument<'_> {
    pub(super) fn span(&self) -> Span {
        match self {
            Argument::Expr(expr) => expr.span,
            Argument::Value(_, span) => *span,
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn call(&mut self, name: &Ident, args: &[Expr], expand: bool, span: Span) -> Value {
        if self.scope.host.has_function(&name.name) {
            return self.function_of_host(name, args, expand, span);
        }
        let plain = name.name.strip_prefix("core::").unwrap_or(&name.name);
        if plain.starts_with("provider::") {
            return self.provider_function(name, args, expand, span);
        }
        let Some(function) = functions::lookup(plain) else {
            self.unknown_function(name);
            return dynamic();
        };
        let release = self.scope.release;
        if let Some(change) = release::function(plain).filter(|it| !release.has(it)) {
            let came = change.since(release.product());
            let detail = format!("{release} does not know the function {plain:?}, which {came}.");
            self.error(EvalError::UnknownFunction, detail, name.span);
            return dynamic();
        }
        let args = match self.arguments(args, expand) {
            Ok(it) => it,
            Err(value) => return value,
        };
        if let Err(error) = functions::check_count(function, args.len()) {
            self.call_failed(&error, &name.name, &args, span);
            return dynamic();
        }
        match plain {
            "can" => self.can(&args),
            "try" => self.try_each(&args, span),
            "convert" => self.convert(&args, span),
            "templatestring" if release.has(&changes::TEMPLATE_OF_ANYTHING) => {
                self.call_function(&functions::TEMPLATESTRING_OF_OPENTOFU, &name.name, &args, span)
            }
            "templatestring" => self.template_string(function, &name.name, &args, span),
            _ => self.call_function(function, &name.name, &args, span),
        }
    }

    /// A function that only the place of the expression has.
    fn function_of_host(&mut self, name: &Ident, args: &[Expr], expand: bool, span: Span) -> Value {
        let args = match self.arguments(args, expand) {
            Ok(it) => it,
            Err(value) => return value,
        };
        let before = self.mark();
        let values: Vec<Value> = args.iter().map(|it| self.argument(it)).collect();
        if self.failed_since(before) {
            return dynamic();
        }
        let error = match self.scope.host.call_function(&name.name, &values, span) {
            Ok(it) => return it,
            Err(it) => it,
        };
        match error {
            Failure::Undecided(reason) | Failure::Unread(reason) => {
                return self.undecided_value(reason);
            }
            Failure::Budget { bound, message } => self.stop(bound, message, span),
            Failure::Argument { index, message: reason } => {
                let error = CallError::Argument { index, parameter: "argument", reason };
                self.call_failed(&error, &name.name, &args, span);
            }
            Failure::Call(reason) | Failure::MissingFile { message: reason, .. } => {
                self.call_failed(&CallError::Call { reason }, &name.name, &args, span);
            }
        }
        dynamic()
    }

    /// `convert(value, type)`: converts the value as a variable of that type would.
    fn convert(&mut self, args: &[Argument<'_>], span: Span) -> Value {
        let [value, ty] = args else { return dynamic() };
        let value = self.argument(value);
        let Argument::Expr(ty) = ty else {
            self.error(EvalError::NoType, NO_TYPE, span);
            return dynamic();
        };
        let (host, release) = (self.scope.host, self.scope.release);
        #[allow(clippy::result_large_err, reason = "as the type layer takes it")]
        let fold = |expr: &Expr| {
            let (value, problems) = evaluate_constant(expr, host, release);
            problems.into_iter().next().map_or(Ok(value), Err)
        };
        let (constraint, problems) = typeexpr::parse_modern_type(ty, &fold);
        if let Some(problem) = problems.first() {
            let error = EvalError::InvalidType(problem.summary.clone());
            self.error(error, problem.detail.clone(), ty.span);
            return dynamic();
        }
        if !self.spend(value.size().saturating_add(constraint.ty.size()), span) {
            return dynamic();
        }
        let (bare, marks) = value.unmark();
        if !bare.is_known() {
            // Unknown as in any function, even whether the value converts.
            return Value::unknown(constraint.ty.without_optional()).with_marks(marks);
        }
        match constraint.accept(&bare) {
            Ok(it) => it.with_marks(marks),
            Err(error) => {
                let reason = if (bare.deep_marks() | marks).is_hidden() {
                    error.reason
                } else {
                    error.to_string()
                };
                let detail = format!("Invalid value for \"value\" parameter: {reason}.");
                self.error(EvalError::InvalidArgument, detail, args[0].span());
                dynamic()
            }
        }
    }

    pub(super) fn argument(&mut self, argument: &Argument<'_>) -> Value {
        match argument {
            Argument::Expr(expr) => self.eval(expr),
            Argument::Value(value, _) => value.clone(),
        }
    }

    /// The arguments after expansion of the last one; or the call's result if they are not known yet.
    fn arguments<'e>(
        &mut self,
        args: &'e [Expr],
        expand: bool,
    ) -> Result<Vec<Argument<'e>>, Value> {
        let mut all: Vec<Argument<'e>> = args.iter().map(Argument::Expr).collect();
        let Some(last) = args.last().filter(|_| expand) else { return Ok(all) };
        let before = self.mark();
        let (value, marks) = self.eval(last).unmark();
        if self.failed_since(before) {
            return Err(dynamic());
        }
        if let Some(reason) = not_expandable(&value) {
            self.error(EvalError::InvalidExpansion, reason, last.span);
            return Err(dynamic());
        }
        let Some(elements) = value.as_sequence() else {
            return Err(dynamic().with_marks(marks.of_ours()));
        };
        if !self.spend(elements.len() as u64, last.span) {
            return Err(dynamic());
        }
        all.pop();
        let element = |it: &Value| Argument::Value(it.clone().with_marks(marks), last.span);
        all.extend(elements.iter().map(element));
        Ok(all)
    }

    fn call_function(
        &mut self,
        function: &Function,
        name: &str,
        args: &[Argument<'_>],
        span: Span,
    ) -> Value {
        let before = self.mark();
        let mut values = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            let value = self.argument(argument);
            let work = functions::conversion_work(function, index, &value);
            if work > 0 && !self.spend(work, argument.span()) {
                return dynamic();
            }
            match functions::convert_argument(function, index, &value) {
                Ok(it) => values.push(it),
                Err(error) => self.call_failed(&error, name, args, span),
            }
        }
        if self.failed_since(before) {
            return dynamic();
        }
        let context = CallContext { host: self.scope.host, release: self.scope.release };
        let marks = values.iter().fold(Marks::NONE, |marks, it| marks | it.deep_marks());
        match functions::apply(&context, function, values) {
            Ok(it) => it,
            Err(CallError::Undecided { reason, may_fail }) => {
                let ty = fixed_type(function);
                if may_fail {
                    self.doubt(name, &reason, span);
                }
                self.note_undecided(format!("{name}(): {reason}"));
                Value::unknown(ty).with_marks(marks | Marks::UNDECIDED)
            }
            Err(error) => {
                self.call_failed(&error, name, args, span);
                dynamic()
            }
        }
    }

    /// Whether all arguments are known; their errors are reported elsewhere.
    fn is_known(&mut self, args: &[Argument<'_>]) -> bool {
        let before = self.mark();
        let known = args.iter().all(|it| self.argument(it).is_known());
        self.errors_since(before);
        known
    }

    /// Calls `templatestring`. An error of the reference that gives the template is one of the argument.
    fn template_string(
        &mut self,
        function: &'static Function,
        name: &str,
        args: &[Argument<'_>],
        span: Span,
    ) -> Value {
        let Some(template) = args.first().filter(|_| is_direct_reference(args)) else {
            return self.doubtful_template(name, args, span);
        };
        let before = self.mark();
        self.argument(template);
        if self.failed_since(before) && !self.is_stopped() {
            let problems = self.errors_since(before);
            let problem = problems.iter().find(|it| it.is_error());
            let reason = problem.map(Diagnostic::message).unwrap_or_default();
            let reason = format!("the template cannot be read: {reason}");
            return self.unfit_template(reason, name, args, span);
        }
        if self.is_known(args) {
            return self.direct_template(function, name, args, span);
        }
        self.doubtful_template(name, args, span)
    }

    /// Calls `templatestring` with a reference to a known value, which has to be a string.
    fn direct_template(
        &mut self,
        function: &'static Function,
        name: &str,
        args: &[Argument<'_>],
        span: Span,
    ) -> Value {
        let before = self.mark();
        let template = args.first().map(|it| self.argument(it));
        self.errors_since(before);
        let is_text = |it: &Value| it.is_null() || *it.ty() == Type::String;
        if template.as_ref().is_some_and(|it| !is_text(it)) {
            return self.unfit_template("the template must be a string".into(), name, args, span);
        }
        self.call_function(function, name, args, span)
    }

    /// Reports the template of `templatestring`.
    fn unfit_template(
        &mut self,
        reason: String,
        name: &str,
        args: &[Argument<'_>],
        span: Span,
    ) -> Value {
        let error = CallError::Argument { index: 0, parameter: "template", reason };
        self.call_failed(&error, name, args, span);
        dynamic()
    }

    /// Evaluates `templatestring` with an unknown argument of any type, or with a template that is not a
    /// reference, which is an error only if the variables are known.
    fn doubtful_template(&mut self, name: &str, args: &[Argument<'_>], span: Span) -> Value {
        let before = self.mark();
        let values: Vec<Value> = args.iter().map(|it| self.argument(it)).collect();
        if self.failed_since(before) {
            return dynamic();
        }
        if let Some(index) = values.iter().position(Value::is_null) {
            let parameter = if index == 0 { "template" } else { "vars" };
            let reason = functions::NULL_REFUSED.to_string();
            let error = CallError::Argument { index, parameter, reason };
            self.call_failed(&error, name, args, span);
            return dynamic();
        }
        // A template that is not a reference is refused, whether it is known or not.
        let is_refused = !is_direct_reference(args) && values.iter().skip(1).all(Value::is_known);
        if is_refused || values.iter().all(Value::is_known) {
            self.call_failed(&indirect_template(), name, args, span);
            return dynamic();
        }
        let marks = values.iter().fold(Marks::NONE, |marks, it| marks | it.deep_marks());
        Value::unknown_not_null(Type::String).with_marks(marks)
    }

    pub(super) fn call_failed(
        &mut self,
        error: &CallError,
        name: &str,
        args: &[Argument<'_>],
        span: Span,
    ) {
        if let CallError::Budget { bound, reason } = error {
            self.stop(*bound, format!("Call to function {name:?}: {reason}."), span);
            return;
        }
        let place = error.argument_index().and_then(|it| args.get(it));
        let place = place.map_or(span, Argument::span);
        self.error(error.error(), error.detail(name), place);
    }

    /// A function of a provider: its arguments are evaluated, but its result is unknown to us.
    fn provider_function(
        &mut self,
        name: &Ident,
        args: &[Expr],
        expand: bool,
        span: Span,
    ) -> Value {
        let parts: Vec<&str> = name.name.split("::").collect();
        let [_, provider, function] = parts.as_slice() else {
            let detail = "Call the function of a provider as provider::NAME::FUNCTION(…).";
            self.error(EvalError::UnknownProviderFunction, detail, name.span);
            return dynamic();
        };
        let Some(of) = self.scope.data.provider(provider) else {
            let detail = format!(
                "Unknown function {:?}, because required_providers does not list {provider:?}.",
                name.name
            );
            self.error(EvalError::UnknownProviderFunction, detail, name.span);
            return dynamic();
        };
        if of == Provider::BuiltIn {
            return self.built_in_function(function, name, args, expand, span);
        }
        let before = self.mark();
        for it in args {
            self.eval(it);
        }
        if self.failed_since(before) {
            return dynamic();
        }
        self.undecided_value(format!("{}()", name.name))
    }

    /// A function of the built-in provider.
    fn built_in_function(
        &mut self,
        function: &str,
        name: &Ident,
        args: &[Expr],
        expand: bool,
        span: Span,
    ) -> Value {
        let found = built_in_provider::lookup(function);
        let found = found.filter(|_| self.scope.release.has(&changes::PROVIDER_FUNCTIONS));
        let Some(found) = found else {
            let detail = format!("Terraform's own provider has no function {function:?}.");
            self.error(EvalError::UnknownProviderFunction, detail, name.span);
            return dynamic();
        };
        let args = match self.arguments(args, expand) {
            Ok(it) => it,
            Err(value) => return value,
        };
        match functions::check_count(found, args.len()) {
            Ok(()) => self.call_function(found, &name.name, &args, span),
            Err(error) => {
                self.call_failed(&error, &name.name, &args, span);
                dynamic()
            }
        }
    }

    fn unknown_function(&mut self, name: &Ident) {
        if let Some((namespace, _)) = name.name.split_once("::") {
            let detail =
                format!("There is no function {:?} in the namespace {namespace:?}.", name.name);
            self.error(EvalError::UnknownProviderFunction, detail, name.span);
            return;
        }
        let known = functions::all().iter().map(|it| it.name);
        let hint = match name.name.as_str() {
            "list" => " Write tolist([...]); Terraform 0.15 removed list.".to_owned(),
            "map" => " Write tomap({...}); Terraform 0.15 removed map.".to_owned(),
            other => did_you_mean(other, known),
        };
        let detail = format!("There is no function named {:?}.{hint}", name.name);
        self.error(EvalError::UnknownFunction, detail, name.span);
    }
}

fn not_expandable(value: &Value) -> Option<Cow<'static, str>> {
    let is_sequence = matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
    if value.is_null() && (is_sequence || *value.ty() == Type::Dynamic) {
        return Some("The expanding argument (before the ...) must not be null.".into());
    }
    let reason = "The expanding argument (before the ...) must be a list, a set or a tuple.";
    (!is_sequence && *value.ty() != Type::Dynamic).then(|| reason.into())
}

/// Whether the first argument is a name with steps, as `templatestring` requires. The key of an index may be any
/// expression: `local.texts[each.key]`, `local.texts[upper("x")]`.
fn is_direct_reference(args: &[Argument<'_>]) -> bool {
    let Some(Argument::Expr(template)) = args.first() else { return false };
    let mut expr: &Expr = template;
    while let ExprKind::GetAttr { base: inner, .. }
    | ExprKind::Index { base: inner, .. }
    | ExprKind::Splat { source: inner, .. } = &expr.kind
    {
        expr = inner;
    }
    matches!(expr.kind, ExprKind::Variable(_))
}

fn indirect_template() -> CallError {
    CallError::Argument {
        index: 0,
        parameter: "template",
        reason: "the template must be a direct reference to a string that is given elsewhere"
            .to_string(),
    }
}

fn fixed_type(function: &Function) -> Type {
    match function.returns {
        ReturnType::Fixed(ty) => ty.to_type(),
        ReturnType::Of(_) | ReturnType::OfRelease(_) => Type::Dynamic,
    }
}
