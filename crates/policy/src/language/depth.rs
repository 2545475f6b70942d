//! How deep validators nest.

use std::sync::Arc;

use super::{Test, Valid, Validator};

impl Valid {
    /// The depth of the deepest validator inside.
    pub(super) fn depth_inside(&self) -> u32 {
        let of = |all: &[Arc<Validator>]| all.iter().map(|it| it.depth).max().unwrap_or(0);
        let one = |validator: &Option<Arc<Validator>>| validator.as_ref().map_or(0, |it| it.depth);
        match self {
            Valid::Any(all) | Valid::All(all) | Valid::Deny(all) | Valid::Tuple(all) => of(all),
            Valid::Optional(it, _) | Valid::Some(it) => it.depth,
            Valid::If(test, then, otherwise) => {
                let test = match test {
                    Test::Matches(_, it) => it.depth,
                    Test::Expr(_) => 0,
                };
                test.max(then.depth).max(otherwise.depth)
            }
            Valid::List { each, .. } | Valid::Json(each) => one(each),
            Valid::Map { each, keys, .. } => one(each).max(one(keys)),
            Valid::Object { members, .. } => {
                members.iter().map(|it| it.validator.depth).max().unwrap_or(0)
            }
            Valid::Reference(it) => {
                it.pattern.members.iter().map(|it| it.validator.depth).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}
