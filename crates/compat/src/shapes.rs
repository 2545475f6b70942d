//! How the shapes of an output fit that depends on a plan: whether it is one object, a tuple or a map of them.
//!
//! Only a plan knows the attributes of a resource, but the module says how many instances there are. If `count` is
//! added to `aws_vpc.main`, `value = aws_vpc.main` was an object and is a tuple, so that `module.m.vpc.id` is refused.
//! `aws_vpc.main.id` and `aws_vpc.main[0].id` are the same attribute of the same type.

use super::contract::ModuleContract;
use hcl::Expr;
use stack::guarded;
use tf_value::Type;
pub use verdict::Shape;
use verdict::Shapes;

/// How well a new shape fits where an old one was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Same,
    More,
    Open,
    Other,
}

/// Compares two shapes.
pub fn fit(was: &Shape, is: &Shape) -> Fit {
    use Shape::{Instance, Map, Part, Record, Tuple, Typed, Unknown};
    guarded(|| match (was, is) {
        (Unknown, _) | (_, Unknown) => Fit::Open,
        _ if was == is => Fit::Same,
        (Part(..), _) | (_, Part(..)) | (Instance(_), Instance(_)) => Fit::Open,
        (Tuple(was), Tuple(is)) | (Map(was), Map(is)) => fit(was, is),
        (Record(was), Record(is)) => {
            let each =
                was.iter().map(|(name, was)| is.get(name).map_or(Fit::Other, |is| fit(was, is)));
            let is_more = is.len() > was.len();
            each.chain(is_more.then_some(Fit::More)).max().unwrap_or(Fit::Same)
        }
        // What attributes an object has is not known.
        (Record(_), Instance(_) | Map(_)) | (Instance(_) | Map(_), Record(_)) => Fit::Open,
        (Typed(ty), other) | (other, Typed(ty)) => typed(ty, other),
        _ => Fit::Other,
    })
}

/// What replaces an attribute that is gone.
const GONE: &Shape = &Shape::Unknown;

/// The first place at which the shapes do not fit, with both shapes there.
pub fn difference<'s>(path: &str, was: &'s Shape, is: &'s Shape) -> (String, &'s Shape, &'s Shape) {
    let inner = match (was, is) {
        (Shape::Record(before), Shape::Record(after)) => before.iter().find_map(|(name, was)| {
            let is = after.get(name).unwrap_or(GONE);
            let is_gone = *is == Shape::Unknown && !after.contains_key(name);
            (is_gone || fit(was, is) == Fit::Other).then(|| (format!("{path}.{name}"), was, is))
        }),
        (Shape::Tuple(was), Shape::Tuple(is)) | (Shape::Map(was), Shape::Map(is)) => {
            Some((format!("{path}[*]"), &**was, &**is))
        }
        _ => None,
    };
    match inner {
        Some((path, was, is)) => guarded(|| difference(&path, was, is)),
        None => (path.to_owned(), was, is),
    }
}

/// Whether a value of a type may have a shape.
fn typed(ty: &Type, shape: &Shape) -> Fit {
    let may_be = match shape {
        Shape::Tuple(_) => matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Dynamic),
        Shape::Map(_) | Shape::Instance(_) | Shape::Record(_) => {
            matches!(ty, Type::Object(_) | Type::Map(_) | Type::Dynamic)
        }
        _ => true,
    };
    if may_be { Fit::Open } else { Fit::Other }
}

/// The shape of an expression of a contract's module.
pub fn shape(expr: &Expr, contract: &ModuleContract<'_>) -> Shape {
    Shapes { module: &contract.module, tree: &contract.tree }.of(expr)
}
