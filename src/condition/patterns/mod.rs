//! What an atom asks of the value at one place, by kind of question.

pub mod address;
pub mod converted;
pub mod equality;
pub mod length;
pub mod number;
pub mod order;
pub mod text;

use crate::syntax::BinaryOp;

/// The name and the title of a pattern of ours that people would not recognise.
pub fn named(pattern: &str) -> Option<(String, String)> {
    let named = |name: &str, title: &str| Some((name.to_owned(), title.to_owned()));
    if pattern == text::TIMESTAMP {
        return named("timestamp", "A timestamp (RFC 3339)");
    }
    if pattern == address::ipv4_prefix() {
        return named("ipv4-prefix", "An IPv4 prefix (CIDR)");
    }
    match (0..=address::MOST_BITS).find(|it| pattern == address::prefix(*it))? {
        0 => named("prefix", "An IPv4 or IPv6 prefix (CIDR)"),
        1 => named("prefix-of-1-bit", "An IPv4 or IPv6 prefix (CIDR) with room for 1 bit"),
        bits => Some((
            format!("prefix-of-{bits}-bits"),
            format!("An IPv4 or IPv6 prefix (CIDR) with room for {bits} bits"),
        )),
    }
}

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
