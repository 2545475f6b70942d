//! The laws of sets over small pools: every set of a pool is joined with every other one, and checked by
//! predicates for every value.
//!
//! A pool has the atoms of one type, each with a predicate that says in Rust which values are in. So no
//! law asks a set about itself. (`tests/it/sets.rs` asks the same laws of random sets of random types.)

mod assignments;
mod choices;
mod forms;
mod given;
mod pools;
mod words;

use pools::{Pool, Set, collections, every_kind, objects, scalars};

use super::{Sample, ValueSet, contains, is_empty, witnesses};
use tf_value::{Type, Value};

fn pools() -> Vec<Pool> {
    [scalars(), collections(), objects(), vec![every_kind()]].into_iter().flatten().collect()
}

impl Set {
    fn not(&self) -> Set {
        let is_in = self.is_in.iter().map(|it| !it).collect();
        Set { set: self.set.clone().negated(), is_in }
    }

    fn or(&self, other: &Set) -> Set {
        let is_in = self.is_in.iter().zip(&other.is_in).map(|(a, b)| a | b).collect();
        Set { set: ValueSet::either([self.set.clone(), other.set.clone()]), is_in }
    }

    fn and(&self, other: &Set) -> Set {
        let is_in = self.is_in.iter().zip(&other.is_in).map(|(a, b)| a & b).collect();
        Set { set: ValueSet::all([self.set.clone(), other.set.clone()]), is_in }
    }
}

/// The atoms and their complements.
fn literals(pool: &Pool) -> Vec<Set> {
    pool.atoms.iter().flat_map(|it| [it.clone(), it.not()]).collect()
}

fn pairs(pool: &Pool) -> Vec<Set> {
    let all = literals(pool);
    let with = |one: &Set| {
        all.iter().flat_map(|other| [one.or(other), one.and(other)]).collect::<Vec<_>>()
    };
    all.iter().flat_map(with).collect()
}

fn assert_holds_what_it_says(set: &Set, values: &[Value]) {
    for (value, is_in) in values.iter().zip(&set.is_in) {
        assert_eq!(contains(&set.set, value), Some(*is_in), "{value:?} in {:?}", set.set);
    }
}

#[test]
fn an_atom_and_its_complement_hold_what_they_say() {
    for pool in pools() {
        for it in literals(&pool) {
            assert_holds_what_it_says(&it, &pool.values);
            assert_holds_what_it_says(&it.not().not(), &pool.values);
        }
    }
}

#[test]
fn a_union_is_either_and_an_intersection_both() {
    for pool in pools() {
        for it in pairs(&pool) {
            assert_holds_what_it_says(&it, &pool.values);
            assert_holds_what_it_says(&it.not(), &pool.values);
        }
    }
}

#[test]
fn unions_of_intersections_and_intersections_of_unions_hold_what_they_say() {
    for pool in pools() {
        let all = literals(&pool);
        for (at, a) in all.iter().enumerate() {
            for (b, c) in all.iter().zip(all.iter().skip(at)) {
                for pair in [b.or(c), b.and(c)] {
                    for it in [pair.or(a), a.and(&pair), a.or(&pair).and(b), c.or(&a.and(&pair))] {
                        assert_holds_what_it_says(&it, &pool.values);
                    }
                }
            }
        }
    }
}

/// The literals, and the sets made of two of them. Sets of values of every kind are only joined with kinds,
/// since these take longest.
fn asked(pool: &Pool) -> Vec<Set> {
    let all = literals(pool);
    if pool.ty == Type::Dynamic {
        let kinds = all.iter().filter(|it| matches!(it.set, ValueSet::Kind(_)));
        let with = |kind| all.iter().map(move |it: &Set| it.and(kind));
        return all.iter().cloned().chain(kinds.flat_map(with)).collect();
    }
    let with = |at: usize| {
        let (one, others) = (&all[at], &all[at + 1..]);
        others.iter().flat_map(move |other| [one.or(other), one.and(other)])
    };
    all.iter().cloned().chain((0..all.len()).flat_map(with)).collect()
}

/// For each pool, the number of sets that have a value but no witness is found, and of those that have none but
/// are not called empty. There are none for scalars, and few for lists, sets, tuples and maps; fewer are
/// better.
const OPEN: [(usize, usize); 10] =
    [(0, 0), (0, 0), (0, 0), (13, 12), (0, 12), (0, 14), (0, 1), (8, 10), (0, 0), (0, 0)];

#[test]
fn an_empty_set_has_no_value_and_every_other_a_witness() {
    let (mut empty, mut open) = (0, Vec::new());
    for pool in pools() {
        let (mut unseen, mut undecided) = (0, 0);
        for it in asked(&pool) {
            let inside = it.is_in.iter().position(|it| *it).map(|at| &pool.values[at]);
            let found = witnesses(&it.set, &pool.ty, Sample { count: 4, seed: 1, null: false });
            if is_empty(&it.set, &pool.ty, &mut 0) {
                empty += 1;
                assert_eq!((inside, found.first()), (None, None), "{:?} {:?}", pool.ty, it.set);
            } else if found.is_empty() {
                unseen += usize::from(inside.is_some());
                undecided += usize::from(inside.is_none());
            }
            for (at, witness) in found.iter().enumerate() {
                assert_eq!(contains(&it.set, witness), Some(true), "{witness:?} {:?}", it.set);
                assert!(!found[..at].contains(witness), "{found:?}");
            }
        }
        open.push((unseen, undecided));
    }
    assert_eq!(open, OPEN);
    assert!(empty > 250, "{empty}");
}

#[test]
fn as_many_witnesses_are_given_as_asked_for() {
    for pool in pools() {
        for it in literals(&pool).iter().filter(|it| it.is_in.contains(&true)) {
            for null in [false, true] {
                let of = |count| witnesses(&it.set, &pool.ty, Sample { count, seed: 3, null });
                assert!(of(0).is_empty());
                let one = of(1);
                assert_eq!((one.len(), one[0].is_null()), (1, null), "{:?}", it.set);
                assert!(of(3).len() <= 3, "{:?}", it.set);
            }
        }
    }
}
