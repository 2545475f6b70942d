//! Why a condition is false: the parts that made it false, their values, and the place inside of the
//! variable's value that they are about.

mod facts;
mod place;
mod why;

use smol_str::SmolStr;

use diagnostics::Sources;
use facts::Facts;
use hcl::Expr;
use tf_eval::{Scope, evaluate_part};
use tf_value::{Path, Value, json};

/// The number of values that one explanation shows.
const MAX_FACTS: usize = 6;
/// The characters that are shown of one value, and of one expression.
const MAX_TEXT: usize = 80;

/// Why a condition is false. For example: `port.number is 70000 in var.ports[1]`.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    /// The text; empty if there is nothing to say. Marked values are left out.
    pub text: String,
    /// The innermost place in the variable's value that the false parts are all about.
    pub path: Path,
}

/// Explains a condition of the variable `name` that is false in this scope. Every value that must not be
/// shown is marked.
pub(super) fn explain(
    condition: &Expr,
    name: &str,
    scope: &Scope<'_>,
    sources: &Sources,
) -> Explanation {
    let mut walk = Walk::new(scope, sources, name);
    walk.why(condition, false);
    walk.facts.finish(MAX_FACTS)
}

/// The values that an expression reads which cannot be evaluated. For example: `var.size is 2`. A value that
/// must not be shown is `(sensitive)`.
pub(super) fn operands(expr: &Expr, scope: &Scope<'_>, sources: &Sources) -> String {
    let mut walk = Walk { names_hidden: true, ..Walk::new(scope, sources, "") };
    walk.failed(expr);
    walk.facts.finish(MAX_FACTS).text
}

/// A walk down the parts of a condition that decided it.
struct Walk<'a> {
    scope: &'a Scope<'a>,
    sources: &'a Sources,
    /// The variable that the condition is about.
    name: &'a str,
    bound: Vec<Bound>,
    facts: Facts,
    /// Whether values that must not be shown are named.
    names_hidden: bool,
}

/// A name that an iteration binds.
#[derive(Clone)]
struct Bound {
    name: SmolStr,
    value: Value,
    /// The place of the value inside of the variable's value.
    path: Option<Path>,
}

impl<'a> Walk<'a> {
    fn new(scope: &'a Scope<'a>, sources: &'a Sources, name: &'a str) -> Walk<'a> {
        let (bound, facts) = (Vec::new(), Facts::default());
        Walk { scope, sources, name, bound, facts, names_hidden: false }
    }

    /// The value of a part; `None` when it cannot be evaluated.
    fn value(&self, expr: &Expr) -> Option<Value> {
        let names: Vec<_> =
            self.bound.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
        let evaluation = evaluate_part(expr, self.scope, &names);
        evaluation.diagnostics.is_empty().then_some(evaluation.value)
    }

    fn truth(&self, expr: &Expr) -> Option<bool> {
        self.value(expr)?.as_bool()
    }

    /// Notes the value of a part, unless it must not be shown.
    fn fact(&mut self, expr: &Expr) {
        let Some(value) = self.value(expr) else { return };
        if value.deep_marks().is_hidden() && self.names_hidden {
            let text = short(&one_line(&self.sources.snippet(expr.span)));
            self.facts.add(text, "(sensitive)".to_owned());
            return;
        }
        if value.deep_marks().is_hidden() || !value.is_wholly_known() {
            return;
        }
        let text = short(&one_line(&self.sources.snippet(expr.span)));
        let value = json::value_to_json_start(&value, 4 * MAX_TEXT).unwrap_or_default();
        self.facts.add(text, short(&value));
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT).chain("…".chars()).collect()
}
