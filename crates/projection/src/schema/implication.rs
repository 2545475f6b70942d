//! Rules about several variables, at the root of a schema: written as an implication if possible.

use super::{IfThenElse, Keywords, Schema, apply::alone};
use crate::sets::ValueSet;

/// The rule as schemas that all hold for the object of all inputs.
pub fn inputs(constraint: &ValueSet) -> Vec<Schema> {
    match constraint {
        ValueSet::Anything => Vec::new(),
        ValueSet::All(parts) => parts.iter().flat_map(inputs).collect(),
        ValueSet::Either(parts) => vec![implication(parts).unwrap_or_else(|| alone(constraint))],
        _ => vec![alone(constraint)],
    }
}

/// Writes a choice as `if` and `then`: people read it more easily, and forms do not offer it as a
/// choice. "A or B" becomes "if not A then B", where A is about one variable, so that its complement
/// among objects is about the same one. A part whose complement needs no `not` is preferred.
fn implication(parts: &[ValueSet]) -> Option<Schema> {
    let complements = parts.iter().map(complement).enumerate();
    let complements = complements.filter_map(|(index, it)| Some((index, it?)));
    let (index, when) = complements.min_by_key(|(_, it)| is_negative(it))?;
    let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
    let then = ValueSet::either(others.map(|(_, it)| it.clone()));
    let condition = IfThenElse { when: alone(&when), then: Some(alone(&then)), otherwise: None };
    Some(Keywords { condition: Some(condition), ..Keywords::default() }.into())
}

/// The objects that do not meet a constraint on one of their members.
fn complement(constraint: &ValueSet) -> Option<ValueSet> {
    let ValueSet::Member { name, required, values } = constraint else { return None };
    let values = ValueSet::clone(values).negated();
    Some(ValueSet::member(name.clone(), !required, values))
}

fn is_negative(constraint: &ValueSet) -> bool {
    matches!(constraint, ValueSet::Member { values, .. } if matches!(**values, ValueSet::Not(_)))
}
