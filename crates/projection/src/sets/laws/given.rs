//! Which attributes are given at most: the words are true of just the objects that are in the set.

use crate::sets::{ValueSet, contains, in_words};
use tf_value::{Type, Value};

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn words(set: &ValueSet) -> String {
    in_words(set, &Type::map(Type::Bool), false, &|_| None)
}

fn not_both(one: &str, other: &str) -> ValueSet {
    let missing = |it: &str| ValueSet::member(it.into(), false, ValueSet::Nothing);
    ValueSet::either([missing(one), missing(other)])
}

/// Every two of the first `count` names.
fn pairs(count: usize) -> Vec<(usize, usize)> {
    (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect()
}

fn at_most_one(count: usize) -> ValueSet {
    ValueSet::all(pairs(count).into_iter().map(|(one, other)| not_both(NAMES[one], NAMES[other])))
}

fn listed(count: usize) -> String {
    NAMES[..count].iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

#[test]
fn at_most_one_of_any_number_is_said_at_once() {
    for count in 3..=NAMES.len() {
        let most = at_most_one(count);
        let said = format!("a map in which at most one of {} is given", listed(count));
        assert_eq!(words(&most), said);
        let given = |it: &&str| ValueSet::member((*it).into(), true, ValueSet::Anything);
        let least = ValueSet::either(NAMES[..count].iter().map(given));
        let said = format!("a map in which exactly one of {} is given", listed(count));
        assert_eq!(words(&ValueSet::all([most.clone(), least.clone()])), said);
        assert_eq!(words(&ValueSet::all([least, most])), said);
    }
    assert_eq!(words(&at_most_one(2)), "a map in which `a` and `b` are not both given");
}

/// Whether the objects with just these names are what the sentences are about.
fn is_told(sentences: &str, given: &[&str]) -> bool {
    sentences.split(" given and ").all(|sentence| {
        let mentioned = sentence.split('`').skip(1).step_by(2);
        mentioned.filter(|it| given.contains(it)).count() < 2
    })
}

#[test]
fn what_excludes_what_is_told_of_just_the_objects_that_are_in() {
    let all = pairs(NAMES.len());
    for graph in (1..1_usize << all.len()).step_by(3) {
        let told = all.iter().enumerate().filter(|(at, _)| graph >> at & 1 == 1);
        let parts = told.map(|(_, (one, other))| not_both(NAMES[*one], NAMES[*other]));
        let set = ValueSet::all(parts);
        let words = words(&set);
        if words.ends_with('…') {
            continue;
        }
        for chosen in 0..1_usize << NAMES.len() {
            let there = NAMES.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
            let given: Vec<&str> = there.map(|it| *it.1).collect();
            let members = given.iter().map(|it| ((*it).into(), Value::bool(true))).collect();
            let is_in = contains(&set, &Value::map(Type::Bool, members));
            assert_eq!(is_in, Some(is_told(&words, &given)), "{words}: {given:?}");
        }
    }
}
