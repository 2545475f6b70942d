//! What an atom asks of the value at one place, by kind of question.

pub mod address;
pub mod converted;
pub mod equality;
pub mod length;
pub mod number;
pub mod order;
pub mod text;

use crate::syntax::BinaryOp;

/// The operator that says the same with its sides exchanged; `None` for what does not compare.
pub fn mirror(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::Equal,
        BinaryOp::NotEqual => BinaryOp::NotEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterOrEqual => BinaryOp::LessOrEqual,
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessOrEqual => BinaryOp::GreaterOrEqual,
        _ => return None,
    })
}

/// The comparison that is true exactly where this one is false.
pub fn complement(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Greater => BinaryOp::LessOrEqual,
        BinaryOp::GreaterOrEqual => BinaryOp::Less,
        BinaryOp::Less => BinaryOp::GreaterOrEqual,
        BinaryOp::LessOrEqual => BinaryOp::Greater,
        other => other,
    }
}
