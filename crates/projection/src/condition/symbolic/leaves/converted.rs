//! Questions about strings and numbers, asked of values that are converted to one first.

use super::order;
use crate::{
    condition::{
        patterns::number::NUMERIC,
        symbolic::{
            leaf::Leaf,
            views::{View, numbers},
        },
    },
    sets::{Kind, Reason, Region, ValueSet, contains},
};
use diagnostics::Span;
use hcl::BinaryOp;
use tf_value::{Number, Type, Value};

/// True where the value, as a string, is in the constraint; an error for a value that is not a primitive.
pub fn as_string(values: ValueSet, ty: &Type, span: Span) -> Leaf {
    let loss = |it: Region| it.losing(Reason::NumberText, span);
    let region = |it| Region::new(false, it);
    match ty {
        Type::String => Leaf::exactly(values),
        Type::Bool => {
            let [yes, no] = bools(&values);
            Leaf::of_values(region(yes), region(no))
        }
        Type::Number => {
            let every = || loss(region(ValueSet::Anything));
            numbers(&values).map_or_else(|| Leaf::of_values(every(), every()), Leaf::exactly)
        }
        Type::Dynamic => {
            let [yes, no] = bools(&values);
            let of = |kind, it| ValueSet::all([ValueSet::Kind(kind), it]);
            let numbers = numbers(&values);
            let by_kind = |text, bool, number| {
                let parts = [of(Kind::String, text), of(Kind::Number, number), bool];
                let it = region(ValueSet::either(parts));
                if numbers.is_none() { loss(it) } else { it }
            };
            let either = numbers.clone().unwrap_or(ValueSet::Anything);
            let neither = numbers.clone().map_or(ValueSet::Anything, ValueSet::negated);
            let when_true = by_kind(values.clone(), yes, either);
            let when_false = by_kind(values.negated(), no, neither);
            Leaf { error: Region::new(true, collections()), ..Leaf::total(when_true, when_false) }
        }
        _ => Leaf::unknown(Reason::CollectionAsString, span),
    }
}

/// `subject OP limit` for a value of any type, strings being read as numbers.
pub fn ordered(op: BinaryOp, limit: &Number, span: Span) -> Leaf {
    let numbers = order::compared(op, limit, &Type::Number, span);
    let of = |kind, it| ValueSet::all([ValueSet::Kind(kind), it]);
    let with_strings = |region: Region| {
        let read = View::Number.preimage(&region.values);
        let read = read.map_or_else(|| View::Number.domain(), |it| it.values);
        let values = ValueSet::either([of(Kind::Number, region.values), of(Kind::String, read)]);
        Region { values, ..region }.losing(View::Number.loss(), span)
    };
    let unread = of(Kind::String, ValueSet::Matches(NUMERIC.to_owned()).negated());
    let unread = [unread, ValueSet::Kind(Kind::Boolean), collections()];
    Leaf {
        when_true: with_strings(numbers.when_true),
        when_false: with_strings(numbers.when_false),
        null: Region::nothing(),
        error: Region::new(true, ValueSet::either(unread)),
    }
}

fn collections() -> ValueSet {
    ValueSet::either([Kind::Array, Kind::Object].map(ValueSet::Kind))
}

/// The booleans whose text is in the constraint, and those whose text is not.
fn bools(values: &ValueSet) -> [ValueSet; 2] {
    let is_in = |it: bool| contains(values, &Value::string(if it { "true" } else { "false" }));
    [Some(true), Some(false)].map(|wanted| {
        // If that is unknown for a bool, it is in both.
        let kept =
            [true, false].into_iter().filter(|it| is_in(*it).is_none_or(|is| Some(is) == wanted));
        let kept: Vec<Value> = kept.map(Value::bool).collect();
        if kept.is_empty() { ValueSet::Nothing } else { ValueSet::OneOf(kept) }
    })
}
