//! Advice for the mistakes that people make in their first rule: a list is compared with a string, or an object
//! is written where nested blocks are.

use super::Outcome;
use crate::language::{Shape, Valid, Validator, shape};
use hcl::{Expr, ExprKind};
use stack::guarded;
use tf_value::{Value, ValueContent};

/// Why an expression that is not a condition fails.
pub(super) const NO_BOOL: &str = "the condition is not true or false";
const COMPARE: &str = "compare it: EXPRESSION == VALUE";

/// In advice, the name of the argument that is judged.
pub const NAME: &str = "<NAME>";
/// In advice, the list that the rule has.
pub const LIST: &str = "<LIST>";

/// Adds advice to a validator's own violation of a value of another kind.
pub(super) fn add(outcome: &mut Outcome, validator: &Validator, value: &Value) {
    let own = |it: &&mut super::Violation| it.span == validator.span && it.help.is_none();
    if let Some(violation) = outcome.violations.iter_mut().find(own) {
        let is_odd = matches!(validator.kind, Valid::Predicate(_)) && violation.found == NO_BOOL;
        violation.help = if is_odd { Some(COMPARE.to_owned()) } else { of(validator, value) };
    }
}

fn of(validator: &Validator, value: &Value) -> Option<String> {
    if let Some(help) = of_single(validator, value) {
        return Some(help);
    }
    let help = match value.content() {
        ValueContent::Null | ValueContent::Unknown(_) => return None,
        ValueContent::Sequence(all) => match shape_of(&validator.kind) {
            AskedFor::Object if all.iter().any(is_object) => {
                "these are nested blocks: write <NAME> { … } or list({ … }) for each of them"
            }
            AskedFor::Object | AskedFor::Single => {
                "it is a list: write list(V) for each element, or some(V) for at least one"
            }
            AskedFor::Map => "it is a list, not a map: write list(V) for each element",
            AskedFor::List | AskedFor::Other => return None,
        },
        ValueContent::Mapping(_) => match shape_of(&validator.kind) {
            AskedFor::Single => {
                "it is an object: write { NAME = V } for a member, or map(V) for each"
            }
            AskedFor::List => "it is an object, not a list: write { NAME = V } for a member",
            AskedFor::Object | AskedFor::Map | AskedFor::Other => return None,
        },
        _ if has_list(validator) => {
            "it is a single value, not a list: write any(<LIST>...) to accept each element"
        }
        _ => match shape_of(&validator.kind) {
            AskedFor::List => "it is a single value, not a list",
            AskedFor::Object | AskedFor::Map => "it is a single value, not an object",
            AskedFor::Single | AskedFor::Other => return None,
        },
    };
    Some(help.to_owned())
}

/// Advice on constants and conditions that are meant otherwise.
fn of_single(validator: &Validator, value: &Value) -> Option<String> {
    let is_json = || value.as_str().is_some_and(|it| it.trim_start().starts_with(['{', '[']));
    match &validator.kind {
        Valid::Object { .. } | Valid::List { .. } | Valid::Map { .. } | Valid::Tuple(_)
            if is_json() =>
        {
            Some("it is JSON text: write json(V) to judge its contents".to_owned())
        }
        Valid::Predicate(expr) => of_predicate(expr, value),
        Valid::Equal(wanted, _) => {
            let wanted = wanted.as_str()?;
            let is_pattern =
                wanted.starts_with('^') || wanted.contains('*') || wanted.ends_with('$');
            let is_range = wanted.trim_start().starts_with(['<', '>', '=', '!']);
            if value.as_number().is_some() && is_range {
                return Some(
                    "a constant is compared as it is; for a range, write number({ min = A, max \
                    = B })"
                        .to_owned(),
                );
            }
            if value.as_bool().is_some() {
                return Some("write true or false, without quotes".to_owned());
            }
            let is_text = value.as_str().is_some() && is_pattern;
            is_text.then(|| {
                "a constant is compared as it is; for a pattern, write string({ \
                    pattern = \"…\" })"
                    .to_owned()
            })
        }
        _ => None,
    }
}

/// Advice on a condition that fails of a value.
fn of_predicate(expr: &Expr, value: &Value) -> Option<String> {
    let mut looks_inside = false;
    looks_into_self(expr, &mut looks_inside);
    let is_single =
        !matches!(value.content(), ValueContent::Sequence(_) | ValueContent::Mapping(_));
    (looks_inside && is_single).then(|| {
        "self is the argument's own value; write parent.NAME for another argument".to_owned()
    })
}

fn looks_into_self(expr: &Expr, found: &mut bool) {
    if let ExprKind::GetAttr { base, .. } = &expr.kind
        && matches!(&base.kind, ExprKind::Variable(name) if name == "self")
    {
        *found = true;
    }
    if !expr.is_leaf() {
        guarded(|| expr.for_each_child(&mut |it| looks_into_self(it, found)));
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value.content(), ValueContent::Mapping(_))
}

/// What a validator asks for.
enum AskedFor {
    Single,
    List,
    Map,
    Object,
    Other,
}

fn shape_of(kind: &Valid) -> AskedFor {
    match kind {
        Valid::List { .. } | Valid::Tuple(_) | Valid::Some(_) => AskedFor::List,
        Valid::Map { .. } => AskedFor::Map,
        Valid::Object { .. } => AskedFor::Object,
        Valid::Equal(value, _) => match value.content() {
            ValueContent::Sequence(_) => AskedFor::List,
            ValueContent::Mapping(_) => AskedFor::Object,
            _ => AskedFor::Single,
        },
        it if it.is_scalar() => AskedFor::Single,
        Valid::Any(all) if all.iter().all(|it| shape::of(it) == Shape::Single) => AskedFor::Single,
        _ => AskedFor::Other,
    }
}

/// Whether a list is written where a single value is judged: `["a", "b"]`, `any(["a", "b"])`.
fn has_list(validator: &Validator) -> bool {
    let is_list = |it: &Validator| {
        matches!(&it.kind, Valid::Tuple(_))
            || matches!(&it.kind, Valid::Equal(it, _) if it.as_sequence().is_some())
    };
    match &validator.kind {
        Valid::Any(all) => all.iter().any(|it| is_list(it)),
        _ => is_list(validator),
    }
}
