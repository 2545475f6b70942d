//! Sets: Terraform's order of elements, and removal of duplicates.

use std::{cmp::Ordering, collections::HashMap};

use super::{Marks, NumberStyle, Type, Value, ValueContent, ops, quoted};
use stack::guarded;

/// Makes a set of these elements: sorted, without duplicates, with the elements' marks on the set.
pub(super) fn make(element: Type, elements: Vec<Value>) -> Value {
    let mut marks = Marks::NONE;
    let elements: Vec<Value> = elements
        .into_iter()
        .map(|it| {
            let (it, inner) = it.unmark_deep();
            marks |= inner;
            it
        })
        .collect();
    let elements = match element {
        Type::String | Type::Number | Type::Bool => primitives(elements),
        _ => structures(elements),
    };
    Value { ty: Type::set(element), content: ValueContent::sequence(elements), marks }
}

fn primitives(mut elements: Vec<Value>) -> Vec<Value> {
    elements.sort_by(order);
    // In the order of exact values equal numbers need not be neighbours. But all numbers between two
    // with the same text have that text as well.
    elements.dedup_by(|later, kept| same(later, kept) && !zeros_of_two_signs(later, kept));
    elements
}

/// Whether both are zeros of different sign: these are equal, and yet two elements of a set.
fn zeros_of_two_signs(left: &Value, right: &Value) -> bool {
    match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => left.is_negative() != right.is_negative(),
        _ => false,
    }
}

fn same(left: &Value, right: &Value) -> bool {
    ops::equals(left, right).as_bool() == Some(true)
}

/// Orders known values naturally, then unknown ones, then null.
fn order(left: &Value, right: &Value) -> Ordering {
    match (&left.content, &right.content) {
        (ValueContent::Bool(left), ValueContent::Bool(right)) => left.cmp(right),
        (ValueContent::Number(left), ValueContent::Number(right)) => left.compare(right),
        (ValueContent::String(left), ValueContent::String(right)) => left.cmp(right),
        _ => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value.content {
        ValueContent::Null => 2,
        ValueContent::Unknown(_) => 1,
        _ => 0,
    }
}

/// Orders elements of other types by a text for each value. Values with equal texts keep their order.
fn structures(elements: Vec<Value>) -> Vec<Value> {
    // Equal values have the same exact text, so that few are compared, however many there are.
    let mut buckets: HashMap<String, Vec<usize>> = HashMap::new();
    let mut kept: Vec<(String, Value)> = Vec::with_capacity(elements.len());
    for element in elements {
        // What is not completely known equals nothing for sure.
        if element.is_wholly_known() {
            let mut exact = String::new();
            write(&element, &mut exact, true);
            let bucket = buckets.entry(exact).or_default();
            if bucket.iter().any(|&index| kept.get(index).is_some_and(|it| same(&element, &it.1))) {
                continue;
            }
            bucket.push(kept.len());
        }
        let mut text = String::new();
        write(&element, &mut text, false);
        kept.push((text, element));
    }
    kept.sort_by(|(left_text, left), (right_text, right)| {
        rank(left).cmp(&rank(right)).then_with(|| left_text.cmp(right_text))
    });
    kept.into_iter().map(|(_, it)| it).collect()
}

/// Writes the text that cty sorts by: numbers to ten digits, strings quoted, brackets by kind. Exact texts hold whole
/// numbers instead, and one zero.
fn write(value: &Value, text: &mut String, is_exact: bool) {
    guarded(|| match &value.content {
        ValueContent::Unknown(_) => text.push('?'),
        ValueContent::Null => text.push('~'),
        ValueContent::Bool(it) => text.push(if *it { 'T' } else { 'F' }),
        ValueContent::Number(it) if is_exact && it.is_zero() => text.push('0'),
        ValueContent::Number(it) if is_exact => text.push_str(&it.identity()),
        ValueContent::Number(it) => text.push_str(&it.to_text(NumberStyle::General, Some(10))),
        ValueContent::String(it) => text.push_str(&quoted(it)),
        ValueContent::Sequence(elements) => {
            let (open, close) = if value.ty.is_collection() { ('[', ']') } else { ('<', '>') };
            text.push(open);
            for element in elements.iter() {
                write(element, text, is_exact);
                text.push(';');
            }
            text.push(close);
        }
        ValueContent::Mapping(elements) => {
            let is_map = value.ty.is_collection();
            text.push(if is_map { '{' } else { '<' });
            for (key, element) in elements.iter() {
                if is_map {
                    text.push_str(&quoted(key));
                    text.push(':');
                }
                write(element, text, is_exact);
                text.push(';');
            }
            text.push(if is_map { '}' } else { '>' });
        }
    });
}
