//! Makes candidates for arrays and objects from members of the sets of their parts.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::{
    Length, Measure, ValueSet,
    cases::Literal,
    parts::{Arrays, Objects},
    witness::Finder,
};
use tf_value::{ObjectType, Type, Value};

/// The most elements of an array or a map.
const ELEMENTS: usize = 300;

/// The most leading elements that have sets of their own.
const NAMED: usize = 40;

/// The most members of a set from which others are made.
const POOL: usize = 8;

/// Candidates for arrays in all the sets.
pub(super) fn arrays(
    finder: &mut Finder,
    case: &[Literal<'_>],
    ty: &Type,
    count: usize,
    depth: u32,
) -> Vec<Value> {
    let Some(parts) = Arrays::of(case, ty) else { return Vec::new() };
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let type_at = |index: usize| match ty {
        Type::Tuple(elements) => elements.get(index).cloned().unwrap_or(Type::Dynamic),
        _ => element.clone(),
    };
    let lengths = lengths(finder, parts.length, case, Measure::Items);
    let is_distinct = parts.is_unique || matches!(ty, Type::Set(_));
    let most = if is_distinct { (*lengths.iter().max().unwrap_or(&0)).max(POOL) } else { POOL };
    let others = match ty {
        Type::Tuple(_) => Vec::new(),
        _ => finder.members(&parts.element(usize::MAX), &element, most.min(40), depth),
    };
    let within = |index: usize, it: &ValueSet| ValueSet::all([parts.from(index), it.clone()]);
    let mut some: Vec<(usize, Vec<Value>)> = Vec::new();
    for (index, it) in &parts.some {
        some.push((*index, finder.members(&within(*index, it), &element, POOL, depth)));
    }
    let mut counted: Vec<(Length, Vec<Value>, Vec<Value>)> = Vec::new();
    for (length, it) in &parts.counts {
        let inside = finder.members(&within(0, it), &element, POOL, depth);
        let outside = finder.members(&within(0, &it.signed(false)), &element, POOL, depth);
        counted.push((*length, inside, outside));
    }
    let first = parts.every.iter().map(|(start, _)| *start).max().unwrap_or(0);
    let own = parts.places.keys().copied().filter(|it| *it < ELEMENTS);
    let named: Vec<usize> = match ty {
        Type::Tuple(elements) => (0..elements.len().min(ELEMENTS)).collect(),
        _ => (0..first.min(NAMED)).chain(own).collect(),
    };
    let mut places: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for index in named {
        let pool = finder.members(&parts.element(index), &type_at(index), POOL, depth);
        places.insert(index, pool);
    }
    let mut out = Vec::new();
    for attempt in 0..count.max(lengths.len()).min(60) {
        if !finder.spend(5) {
            break;
        }
        let length = lengths[attempt % lengths.len()].min(ELEMENTS);
        let mut elements: Vec<Value> = Vec::new();
        let first = finder.below(others.len());
        let is_same = !is_distinct && finder.below(3) == 0;
        for index in 0..length {
            let pool = places.get(&index).unwrap_or(&others);
            let other = if is_same {
                pool.get(first)
            } else {
                pool.get((first + index) % pool.len().max(1))
            };
            elements.extend(other.or(pool.first()).cloned());
        }
        let is_tuple = matches!(ty, Type::Tuple(_));
        for (index, pool) in some.iter().filter(|_| !is_tuple) {
            put(finder, &mut elements, pool, *index, length);
        }
        for (wanted, inside, outside) in &counted {
            count_of(finder, &mut elements, *wanted, inside, outside);
        }
        if is_distinct && finder.below(8) > 0 {
            let mut seen: Vec<Value> = Vec::new();
            elements.retain(|it| {
                let is_new = !seen.contains(it);
                seen.extend(is_new.then(|| it.clone()));
                is_new
            });
        } else if finder.below(4) == 0 && elements.len() > 1 {
            elements[1] = elements[0].clone();
        }
        if matches!(ty, Type::Set(_)) && has_twins(&elements) {
            continue;
        }
        out.push(Value::tuple(elements));
    }
    out
}

fn has_twins(elements: &[Value]) -> bool {
    elements.iter().enumerate().any(|(at, it)| elements[..at].contains(it))
}

/// Puts a member of the pool at some index that is at least `index`.
fn put(
    finder: &mut Finder,
    elements: &mut Vec<Value>,
    pool: &[Value],
    index: usize,
    length: usize,
) {
    let Some(it) = finder.pick(pool).cloned() else { return };
    if elements.len() <= index || elements.len() < length {
        elements.push(it);
    } else {
        let at = index + finder.below(elements.len() - index);
        elements[at] = it;
    }
}

/// Changes elements so that as many as wanted come from the one pool, and the others from the other.
fn count_of(
    finder: &mut Finder,
    elements: &mut Vec<Value>,
    wanted: Length,
    inside: &[Value],
    outside: &[Value],
) {
    let least = wanted.min.unwrap_or(0);
    let most = wanted.max.unwrap_or(least + 2).max(least);
    let bound = |it: u64| usize::try_from(it).unwrap_or(ELEMENTS).min(ELEMENTS);
    let count = bound(least) + finder.below(bound(most).saturating_sub(bound(least)) + 1);
    let length = elements.len().max(count);
    elements.clear();
    for index in 0..length {
        let pool = if index < count { inside } else { outside };
        elements.extend(pool.get(index % pool.len().max(1)).cloned());
    }
    if length > 1 && finder.below(2) == 0 {
        elements.reverse();
    }
}

/// Lengths to try: the limits, their neighbours, and small ones.
fn lengths(
    finder: &mut Finder,
    length: Length,
    case: &[Literal<'_>],
    measure: Measure,
) -> Vec<usize> {
    let mut named = vec![0, 1, 2, 3];
    for (_, set) in case {
        let limits = match set {
            ValueSet::Length(of, it) if *of == measure => *it,
            ValueSet::Count(it, _) => *it,
            ValueSet::Place { index, .. } | ValueSet::ItemsFrom(index, _) => {
                Length::at_least(*index as u64 + 1)
            }
            _ => continue,
        };
        let near = |it: u64| [it.saturating_sub(1), it, it.saturating_add(1)];
        named.extend(limits.min.into_iter().chain(limits.max).flat_map(near));
    }
    named.retain(|it| length.has(*it));
    named.extend(length.min.filter(|it| length.has(*it)));
    named.sort_unstable();
    named.dedup();
    let mut out: Vec<usize> = named
        .into_iter()
        .filter_map(|it| usize::try_from(it).ok())
        .filter(|it| *it <= ELEMENTS)
        .collect();
    if out.is_empty() {
        out.push(0);
    }
    // The shortest and the longest first.
    let last = out.len() - 1;
    out.swap(last.min(1), last);
    let turn = finder.below(out.len());
    if turn > 1 {
        out[1..].rotate_left(1);
    }
    out
}

/// Candidates for objects or maps in all the sets.
pub(super) fn objects(
    finder: &mut Finder,
    case: &[Literal<'_>],
    ty: &Type,
    count: usize,
    depth: u32,
) -> Vec<Value> {
    let Some(parts) = Objects::of(case, ty) else { return Vec::new() };
    match ty {
        Type::Object(object) => of_object(finder, &parts, object, count, depth),
        Type::Map(element) => {
            let lengths = lengths(finder, parts.length, case, Measure::Properties);
            of_map(finder, &parts, element, count, &lengths, depth)
        }
        _ => Vec::new(),
    }
}

fn of_object(
    finder: &mut Finder,
    parts: &Objects,
    object: &ObjectType,
    count: usize,
    depth: u32,
) -> Vec<Value> {
    let mut pools: BTreeMap<&SmolStr, Vec<Value>> = BTreeMap::new();
    for (name, ty) in &object.attributes {
        let pool = finder.members(&parts.member(name), ty, count.clamp(POOL, 30), depth);
        if pool.is_empty() && parts.present.contains(name) {
            return Vec::new();
        }
        pools.insert(name, pool);
    }
    let mut out = Vec::new();
    for attempt in 0..(2 * count).min(120) {
        if !finder.spend(2 + pools.len() as u64) {
            break;
        }
        let mut members = BTreeMap::new();
        for (name, pool) in &pools {
            let is_optional = !parts.present.contains(*name);
            // All of them, none of them, some of them.
            let is_left_out = match attempt {
                0 => false,
                1 => true,
                _ => finder.below(3) == 0,
            };
            let it =
                if attempt < 2 { pool.get(attempt).or(pool.first()) } else { finder.pick(pool) };
            if let Some(it) = it
                && !(is_optional && is_left_out)
            {
                members.insert((*name).clone(), it.clone());
            }
        }
        out.push(Value::object(members));
    }
    out
}

fn of_map(
    finder: &mut Finder,
    parts: &Objects,
    element: &Type,
    count: usize,
    lengths: &[usize],
    depth: u32,
) -> Vec<Value> {
    let keys = ValueSet::all(parts.keys.iter().cloned());
    let most = (*lengths.iter().max().unwrap_or(&0)).clamp(POOL, 40);
    let texts =
        |them: Vec<Value>| them.iter().filter_map(|it| it.as_str().map(SmolStr::from)).collect();
    let mut pool: Vec<SmolStr> = texts(finder.members(&keys, &Type::String, most, depth));
    pool.extend(parts.members.keys().cloned());
    pool.extend(parts.beside.iter().flat_map(|it| it.0.iter().cloned()));
    for (pattern, _) in &parts.matching {
        let set = ValueSet::all([keys.clone(), ValueSet::Matches(pattern.clone())]);
        pool.extend::<Vec<SmolStr>>(texts(finder.members(&set, &Type::String, 3, depth)));
    }
    let mut some_keys: Vec<Vec<SmolStr>> = Vec::new();
    for it in &parts.some_key {
        let set = ValueSet::all([keys.clone(), it.clone()]);
        some_keys.push(texts(finder.members(&set, &Type::String, POOL, depth)));
    }
    let mut values: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
    let mut out = Vec::new();
    for attempt in 0..count.max(lengths.len()).min(60) {
        if !finder.spend(5) {
            break;
        }
        let length = lengths[attempt % lengths.len()].min(ELEMENTS);
        let mut names: BTreeSet<SmolStr> = parts.present.clone();
        for it in &some_keys {
            names.extend(finder.pick(it).cloned());
        }
        let first = finder.below(pool.len());
        for index in 0..pool.len() {
            if names.len() < length {
                names.insert(pool[(first + index) % pool.len()].clone());
            }
        }
        let mut members = BTreeMap::new();
        for name in names {
            if !values.contains_key(&name) {
                let set = parts.member(&name);
                values.insert(name.clone(), finder.members(&set, element, POOL, depth));
            }
            let it = finder.pick(&values[&name]).cloned();
            members.extend(it.map(|it| (name, it)));
        }
        for it in &parts.some_value {
            let Some(name) = members.keys().nth(finder.below(members.len())).cloned() else {
                break;
            };
            let set = ValueSet::all([parts.member(&name), it.clone()]);
            let value = finder.members(&set, element, 2, depth).into_iter().next();
            members.extend(value.map(|it| (name, it)));
        }
        out.push(Value::object(members));
    }
    out
}
