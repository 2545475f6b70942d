//! Sets of numbers: limits, divisors and enumerations cut the line into points and the intervals between them.

use super::{ValueSet, value_set::contains};
use num_integer::gcd;
use stack::guarded;
use tf_value::{Number, Value};

/// The most points at which a set changes.
const POINTS: usize = 2000;

/// The most whole numbers that are looked at between two points: after so many, divisibility repeats.
const PERIOD: u64 = 2000;

/// Numbers to try: if any number is in the set, one of these is. `None` for too many cases.
pub fn candidates(set: &ValueSet) -> Option<Vec<Value>> {
    let mut points = Vec::new();
    let mut period = 1_u64;
    collect(set, &mut points, &mut period)?;
    points.sort_by(Number::compare);
    points.dedup_by(|a, b| a.compare(b).is_eq());
    let mut out: Vec<Number> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        out.push(point.clone());
        match points.get(index + 1) {
            Some(next) => between(point, next, period, &mut out)?,
            None => beyond(point, period, false, &mut out),
        }
    }
    if let Some(first) = points.first() {
        beyond(first, period, true, &mut out);
    } else {
        out.push(int(0));
        beyond(&int(0), period, false, &mut out);
        beyond(&int(0), period, true, &mut out);
    }
    Some(out.into_iter().map(Value::number).collect())
}

/// Whether no number is in the set. `false` proves nothing.
pub fn is_empty(set: &ValueSet) -> bool {
    let refused = |it: &Value| contains(set, it) == Some(false);
    candidates(set).is_some_and(|them| them.iter().all(refused))
}

fn int(number: u64) -> Number {
    Number::from_u64(number)
}

fn collect(set: &ValueSet, points: &mut Vec<Number>, period: &mut u64) -> Option<()> {
    match set {
        ValueSet::OneOf(values) => {
            points.extend(values.iter().filter_map(|it| it.as_number().cloned()));
        }
        ValueSet::Range(range) => {
            points.extend(range.lower.iter().chain(&range.upper).map(|it| it.value.clone()));
        }
        ValueSet::MultipleOf(divisor) => {
            let divisor = (*divisor).max(1);
            *period = period.checked_mul(divisor / gcd(*period, divisor))?;
        }
        ValueSet::Not(_) | ValueSet::All(_) | ValueSet::Either(_) => {
            let mut each = set.children().iter();
            return guarded(|| each.try_for_each(|it| collect(it, points, period)));
        }
        _ => (),
    }
    (points.len() <= POINTS && *period <= PERIOD).then_some(())
}

/// Numbers between two points: one that is not whole, and a whole one for each remainder. `None` if none is
/// found.
fn between(low: &Number, high: &Number, period: u64, out: &mut Vec<Number>) -> Option<()> {
    if low.is_infinite() || high.is_infinite() {
        return None;
    }
    let is_inside = |it: &Number| it.compare(low).is_gt() && it.compare(high).is_lt();
    let part = low.add(&high.subtract(low).ok()?.divide(&int(3)).ok()?).ok()?;
    let fraction = if part.is_integer() {
        let next = part.add(&int(1)).ok()?;
        let end = if next.compare(high).is_lt() { &next } else { high };
        part.add(&end.subtract(&part).ok()?.divide(&int(2)).ok()?).ok()?
    } else {
        part.clone()
    };
    if !is_inside(&fraction) || fraction.is_integer() {
        return None;
    }
    out.push(fraction);
    out.push(part);
    for (from, is_up) in [(low, true), (high, false)] {
        out.extend(whole(from, is_up, period).take_while(is_inside));
    }
    Some(())
}

fn beyond(limit: &Number, period: u64, is_below: bool, out: &mut Vec<Number>) {
    if limit.is_infinite() {
        return;
    }
    out.extend(whole(limit, !is_below, period));
    let half = Number::from_f64(if is_below { -0.5 } else { 0.5 });
    let first = whole(limit, !is_below, 1).next();
    out.extend(first.and_then(|it| it.add(&half).ok()));
}

/// The next `count` whole numbers after one, upwards or downwards.
fn whole(from: &Number, is_up: bool, count: u64) -> impl Iterator<Item = Number> {
    let start = if is_up { from.floor() } else { from.ceil() };
    let step = |index: u64| {
        let index = int(index);
        if is_up { start.add(&index) } else { start.subtract(&index) }.ok()
    };
    (1..=count).map_while(step).collect::<Vec<_>>().into_iter()
}
