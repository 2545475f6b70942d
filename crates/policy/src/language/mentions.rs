//! The names that expressions read from `parent` and `attrs` (`attrs.engine`): they are read from a plan, and
//! an object may lack them.

use std::{collections::BTreeSet, sync::Arc};

use foldhash::HashSet;
use smol_str::SmolStr;

use super::{BlockPattern, Fallback, Test, Valid, Validator};
use hcl::Expr;
use stack::guarded;
use tf_eval::{ReferenceStep, references};

/// The names that expressions in a block read; `None` if one reads the whole object.
pub(super) fn of(pattern: &BlockPattern) -> Option<BTreeSet<SmolStr>> {
    let mut walk = Walk::default();
    walk.pattern(pattern);
    (!walk.is_open).then_some(walk.names)
}

#[derive(Default)]
struct Walk {
    names: BTreeSet<SmolStr>,
    /// Whether an expression reads a whole object.
    is_open: bool,
    /// The validators that were visited: a local may be used many times.
    seen: HashSet<*const Validator>,
}

impl Walk {
    fn pattern(&mut self, pattern: &BlockPattern) {
        pattern.members.iter().for_each(|it| self.validator(&it.validator));
        for it in pattern.blocks.iter().map(|it| &it.pattern).chain(pattern.filter.as_deref()) {
            match &it.mentions {
                Some(names) => self.names.extend(names.iter().cloned()),
                None => self.is_open = true,
            }
        }
    }

    fn validator(&mut self, it: &Arc<Validator>) {
        if !self.seen.insert(Arc::as_ptr(it)) {
            return;
        }
        if let Some(condition) = &it.condition {
            self.expr(&condition.condition);
            condition.error_message.iter().for_each(|it| self.expr(it));
        }
        guarded(|| self.kind(&it.kind));
    }

    fn kind(&mut self, kind: &Valid) {
        match kind {
            Valid::Any(all) | Valid::All(all) | Valid::Deny(all) | Valid::Tuple(all) => {
                all.iter().for_each(|it| self.validator(it));
            }
            Valid::Optional(it, fallback) => {
                self.validator(it);
                if let Some(Fallback::Expr(it)) = fallback {
                    self.expr(it);
                }
            }
            Valid::Some(it) => self.validator(it),
            Valid::EqualTo(it) | Valid::Predicate(it) => self.expr(it),
            Valid::If(test, then, otherwise) => {
                match test {
                    Test::Expr(it) => self.expr(it),
                    Test::Matches(it, validator) => {
                        self.expr(it);
                        self.validator(validator);
                    }
                }
                self.validator(then);
                self.validator(otherwise);
            }
            Valid::List { each, .. } | Valid::Json(each) => {
                each.iter().for_each(|it| self.validator(it));
            }
            Valid::Map { each, keys, .. } => {
                each.iter().chain(keys).for_each(|it| self.validator(it));
            }
            Valid::Object { members, .. } => {
                members.iter().for_each(|it| self.validator(&it.validator));
            }
            _ => (),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        for it in references(expr).iter().filter(|it| matches!(it.name, "parent" | "attrs")) {
            match it.first {
                Some(ReferenceStep::Attribute(name)) => _ = self.names.insert(name.into()),
                _ => self.is_open = true,
            }
        }
    }
}
