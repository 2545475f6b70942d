//! Whether a set has no value of a type. Null is not considered.
//!
//! Strings are decided by automata ([`strings`](super::strings)), numbers by the points at which the
//! set changes ([`numbers`](super::numbers)), arrays and objects case by case through what is inside
//! them ([`parts`](super::parts)). `false` proves nothing: what is not decided within
//! the budget is not called empty.

use super::{
    ValueSet,
    cases::{Literal, cases},
    numbers,
    parts::{Arrays, Objects},
    strings,
    strings::Universe,
    value_set::contains,
};
use re2::Language;
use stack::guarded;
use tf_value::{Type, Value};

/// Units of work for a question: steps of automata, cases.
const WORK: u64 = 400_000;

/// The most cases that a set of arrays or objects is divided into.
const CASES: usize = 100;

/// `true` only if no value of the type is in the set. A null inside of a value counts only where the set names
/// it. `false` proves nothing. `work` grows by the work that was done, in units of about a tenth of a
/// microsecond.
pub fn is_empty(set: &ValueSet, ty: &Type, work: &mut u64) -> bool {
    let mut search = Search { left: WORK };
    let is_empty = search.is_empty(set, ty);
    *work += WORK - search.left;
    is_empty
}

/// A question and the work that is left for it.
pub(super) struct Search {
    left: u64,
}

impl Search {
    fn spend(&mut self, work: u64) -> bool {
        self.left = self.left.saturating_sub(work);
        self.left > 0
    }

    pub fn is_empty(&mut self, set: &ValueSet, ty: &Type) -> bool {
        if !self.spend(1 + ty.size()) {
            return false;
        }
        guarded(|| match set {
            ValueSet::Nothing => true,
            ValueSet::Anything => false,
            ValueSet::OneOf(values) if values.iter().all(Value::is_null) => true,
            ValueSet::Either(parts) if parts.iter().all(|it| self.is_empty(it, ty)) => true,
            _ => self.is_none(set, ty),
        })
    }

    fn is_none(&mut self, set: &ValueSet, ty: &Type) -> bool {
        match ty {
            Type::Bool => [true, false].map(Value::bool).iter().all(|it| is_refused(set, it)),
            Type::Number => numbers::is_empty(set),
            Type::String => self.is_no_string(set),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Map(_) | Type::Object(_) => {
                self.is_no_collection(set, ty)
            }
            Type::Dynamic => self.is_of_no_kind(set),
        }
    }

    /// Whether no value of any kind is in the set.
    fn is_of_no_kind(&mut self, set: &ValueSet) -> bool {
        if let ValueSet::All(parts) = set
            && parts.iter().any(|it| self.is_empty(it, &Type::Dynamic))
        {
            return true;
        }
        let any = || Type::Dynamic.into();
        let kinds = [Type::Bool, Type::Number, Type::String, Type::List(any()), Type::Map(any())];
        kinds.iter().all(|it| self.is_empty(set, it))
    }

    fn is_no_string(&mut self, set: &ValueSet) -> bool {
        if let Some(texts) = enumerated(set) {
            return texts.iter().all(|it| it.as_str().is_none() || is_refused(set, it));
        }
        if self.has_a_text(set) {
            return false;
        }
        let mut steps = 0;
        let graph = strings::graph(set, Universe::Every, true, &mut steps);
        self.spend(steps);
        graph.is_some_and(|it| it.is_empty())
    }

    /// Whether the set has a text that is easy to find. `false` proves nothing.
    fn has_a_text(&mut self, set: &ValueSet) -> bool {
        match set {
            ValueSet::Matches(pattern) => {
                self.spend(pattern.len() as u64) && (is_free(pattern) || has_text(pattern))
            }
            ValueSet::OneOf(values) => values.iter().any(|it| it.as_str().is_some()),
            ValueSet::Either(parts) => parts.iter().any(|it| self.has_a_text(it)),
            _ => false,
        }
    }

    fn is_no_collection(&mut self, set: &ValueSet, ty: &Type) -> bool {
        let Some(cases) = cases(set, true, CASES) else {
            let ValueSet::All(parts) = set else { return false };
            return parts.iter().any(|it| self.is_empty(it, ty));
        };
        cases.iter().all(|it| self.spend(it.len() as u64) && self.is_impossible(it, ty))
    }

    /// Whether no value is in every one of the sets.
    fn is_impossible(&mut self, case: &[Literal<'_>], ty: &Type) -> bool {
        let choices = case.iter().find_map(|it| match it {
            (true, ValueSet::OneOf(values)) => Some(values),
            _ => None,
        });
        if let Some(values) = choices {
            let is_out = |value: &Value| {
                let is_out = |it: &Literal<'_>| contains(it.1, value) == Some(!it.0);
                value.is_null() || case.iter().any(is_out)
            };
            return values.iter().all(is_out);
        }
        match ty {
            Type::Map(_) | Type::Object(_) => {
                Objects::of(case, ty).is_none_or(|it| it.is_empty(ty, self))
            }
            _ => Arrays::of(case, ty).is_none_or(|it| it.is_empty(ty, self)),
        }
    }

    /// Whether neither a value of the type nor null can be a part of another value there.
    pub fn is_empty_inside(&mut self, set: &ValueSet, ty: &Type) -> bool {
        !names_null(set) && self.is_empty(set, ty)
    }
}

/// Whether the pattern has no assertions except at its ends and no class that may be empty: then some text
/// matches it. `false` proves nothing; most patterns are decided here, without a parser.
fn is_free(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    let is_group = |at: usize| inner[at..].starts_with("(?:");
    !["^", "$", r"\b", r"\B", r"\p", r"\P", r"\u", "[]"].iter().any(|it| inner.contains(it))
        && inner.match_indices("(?").all(|(at, _)| is_group(at))
}

/// Whether the parsed pattern has an alternative without assertions except at its ends, which some text always
/// matches. `false` proves nothing.
fn has_text(pattern: &str) -> bool {
    let parts = Language::parse(pattern).and_then(|it| it.parts());
    parts.is_some_and(|it| it.iter().any(|part| part.body.has_text()))
}

fn is_refused(set: &ValueSet, value: &Value) -> bool {
    contains(set, value) == Some(false)
}

/// The values to which enumerations in the set restrict it.
pub(super) fn enumerated(set: &ValueSet) -> Option<&[Value]> {
    match set {
        ValueSet::OneOf(values) => Some(values),
        ValueSet::All(parts) => parts.iter().find_map(enumerated),
        _ => None,
    }
}

pub(super) fn names_null(set: &ValueSet) -> bool {
    match set {
        ValueSet::OneOf(values) => values.iter().any(Value::is_null),
        ValueSet::Not(_) | ValueSet::All(_) | ValueSet::Either(_) => {
            guarded(|| set.children().iter().any(names_null))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str) -> ValueSet {
        ValueSet::Matches(pattern.to_owned())
    }

    #[test]
    fn a_pattern_that_is_told_without_a_parser_has_a_text_by_its_automaton() {
        for pattern in [
            "",
            "^",
            "$",
            "^$",
            "^a|b$",
            "a{0}",
            "^(?:a|)*$",
            r"^\$$",
            r"[a-z\d]",
            r"\^",
            "^^",
            "(a)",
        ] {
            let is_empty = || {
                let graph = strings::graph(&matches(pattern), Universe::Every, true, &mut 0);
                graph.unwrap().is_empty()
            };
            assert!(!is_free(pattern) || !is_empty(), "{pattern}");
        }
        for pattern in ["^a|b$", "a{0}", "^(?:a|)*$", "(a)"] {
            assert!(is_free(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_may_match_nothing_is_not_told_without_a_parser() {
        for pattern in
            ["a^b", "a$b", r"[^\s\S]", "(?!)", r"a\bb", r"\B", "[]", r"\P{Any}", r"\ud800"]
        {
            assert!(!is_free(pattern), "{pattern}");
        }
        assert!(is_empty(&matches("a^b"), &Type::String, &mut 0));
    }
}
