//! Expressions where Terraform takes neither references nor function calls: defaults, `nullable`,
//! values files.

use smol_str::SmolStr;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Role, Span},
    eval::{self, EvalHost, NoData, Scope},
    syntax::{Expr, ExprKind, ForExpr, ObjectKey, TemplatePart},
    system::DeniedSystem,
    value::{Type, Value, convert},
    version::Version,
};

/// Evaluates an expression that may use operators, templates and `for`, but neither references nor
/// calls; on an error the value is a dynamic unknown. Diagnostics are of `rule`.
pub fn evaluate_constant(
    expr: &Expr,
    rule: &'static str,
    version: Version,
) -> (Value, Diagnostics) {
    let mut forbidden = Forbidden { rule, bound: Vec::new(), found: Vec::new() };
    forbidden.expr(expr);
    if !forbidden.found.is_empty() {
        return (Value::unknown(Type::Dynamic), forbidden.found);
    }
    let host = EvalHost::new(&DeniedSystem, ".", version);
    let (value, mut diagnostics) =
        eval::evaluate(expr, &Scope { data: &NoData, host: &host, version });
    for it in &mut diagnostics {
        it.rule = rule;
    }
    (value, diagnostics)
}

/// Evaluates a constant and converts it to a primitive type, as arguments such as `nullable` need
/// it; null is refused. `None` when there is a diagnostic.
pub(super) fn primitive(
    expr: &Expr,
    ty: &Type,
    rule: &'static str,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let (value, problems) = evaluate_constant(expr, rule, version);
    let failed = !problems.is_empty();
    diagnostics.extend(problems);
    let reason = if failed {
        "its value is not known".to_owned()
    } else if value.is_null() {
        "it must not be null".to_owned()
    } else {
        match convert(&value, ty) {
            Ok(value) => return Some(value),
            Err(error) => error.reason,
        }
    };
    let diagnostic = Diagnostic::error(rule, "Unsuitable value type");
    let detail = format!("The value does not suit: {reason}.");
    diagnostics.push(diagnostic.detail(detail).at(Role::Value, expr.span));
    None
}

/// Finds references and calls where evaluation would come upon them.
struct Forbidden {
    rule: &'static str,
    /// Names that a `for` around binds.
    bound: Vec<SmolStr>,
    found: Diagnostics,
}

impl Forbidden {
    fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.visit(expr));
    }

    fn visit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Call { .. } => self.report(
                "Function calls not allowed",
                "Functions may not be called here.",
                expr.span,
            ),
            ExprKind::Template(parts) => self.parts(parts),
            ExprKind::Wrap(it) | ExprKind::Paren(it) => self.expr(it),
            ExprKind::GetAttr { base, .. } => self.expr(base),
            ExprKind::Index { base, key, .. } => {
                self.expr(base);
                self.expr(key);
            }
            ExprKind::Splat { source, each, .. } => {
                self.expr(source);
                self.expr(each);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(then);
                self.expr(otherwise);
                self.expr(condition);
            }
            ExprKind::Tuple(elements) => elements.iter().for_each(|it| self.expr(it)),
            ExprKind::Object(items) => {
                for item in items {
                    if let ObjectKey::Expr(key) = &item.key {
                        self.expr(key);
                    }
                    self.expr(&item.value);
                }
            }
            ExprKind::For(it) => self.for_expr(it),
            ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::SplatItem
            | ExprKind::Invalid => (),
        }
    }

    fn for_expr(&mut self, it: &ForExpr) {
        self.expr(&it.collection);
        let names = [it.key_name.as_ref(), Some(&it.value_name)];
        let names = names.into_iter().flatten().map(|it| it.name.clone());
        self.under(names.collect(), &it.collection, |this| {
            let parts = [it.condition.as_ref(), it.key.as_ref(), Some(&it.value)];
            parts.into_iter().flatten().for_each(|it| this.expr(it));
        });
    }

    fn parts(&mut self, parts: &[TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => (),
                TemplatePart::Interpolation(it) => self.expr(it),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.parts(then);
                    self.parts(otherwise);
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    self.expr(collection);
                    let names = [key.as_ref(), Some(value)].into_iter().flatten();
                    let names = names.map(|it| it.name.clone()).collect();
                    self.under(names, collection, |this| this.parts(body));
                }
            }
        }
    }

    /// Looks at a `for` body, whose names are bound; one over nothing is never evaluated.
    fn under(&mut self, names: Vec<SmolStr>, collection: &Expr, body: impl FnOnce(&mut Self)) {
        let is_empty = match &collection.kind {
            ExprKind::Tuple(it) => it.is_empty(),
            ExprKind::Object(it) => it.is_empty(),
            _ => false,
        };
        if is_empty {
            return;
        }
        let outside = self.bound.len();
        self.bound.extend(names);
        body(self);
        self.bound.truncate(outside);
    }

    fn variable(&mut self, name: &SmolStr, span: Span) {
        if self.bound.contains(name) {
            return;
        }
        if self.bound.is_empty() {
            self.report("Variables not allowed", "Nothing may be referred to here.", span);
        } else {
            self.report("Unknown variable", &format!("There is no \"{name}\" here."), span);
        }
    }

    fn report(&mut self, summary: &str, detail: &str, span: Span) {
        let diagnostic = Diagnostic::error(self.rule, summary).detail(detail);
        self.found.push(diagnostic.at(Role::Value, span));
    }
}
