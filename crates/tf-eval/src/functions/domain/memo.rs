//! Domains that were derived before. A module asks the same of many rules (`can` of a `regex` of a string),
//! and a domain of types alone holds for every module.

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{Domain, KnownArgument};
use crate::functions::Function;
use release::Release;
use stack::guarded;

/// The most domains that a thread keeps.
const KEPT: usize = 2000;

/// The largest type that is kept, in types inside of it: what a stranger writes must not fill the memory.
const LARGEST: u64 = 100;

/// A question and its answer. The key is the question's hash, since the caller only lends the
/// arguments.
struct Known {
    name: &'static str,
    release: Release,
    arguments: Vec<KnownArgument>,
    domain: Domain,
}

thread_local! {
    static KNOWN: RefCell<HashMap<u64, Known>> = RefCell::default();
}

/// What was derived for the same question, or else what `derive` gives.
pub fn domain(
    function: &Function,
    release: Release,
    arguments: &[KnownArgument],
    derive: impl FnOnce() -> Domain,
) -> Domain {
    if !arguments.iter().all(is_small) {
        return derive();
    }
    let mut hasher = DefaultHasher::new();
    (function.name, release).hash(&mut hasher);
    arguments.iter().for_each(|it| hash(it, &mut hasher));
    let key = hasher.finish();
    let is_same = |it: &Known| {
        it.name == function.name
            && it.release == release
            && it.arguments.len() == arguments.len()
            && it.arguments.iter().zip(arguments).all(|(one, other)| same(one, other))
    };
    let known =
        KNOWN.with_borrow(|all| all.get(&key).filter(|it| is_same(it)).map(|it| it.domain.clone()));
    known.unwrap_or_else(|| {
        let domain = derive();
        let known = Known {
            name: function.name,
            release,
            arguments: arguments.to_vec(),
            domain: domain.clone(),
        };
        KNOWN.with_borrow_mut(|all| {
            if all.len() >= KEPT {
                all.clear();
            }
            all.insert(key, known);
        });
        domain
    })
}

/// Whether the argument consists of small types only. There are as many constants as modules.
fn is_small(argument: &KnownArgument) -> bool {
    match argument {
        KnownArgument::Constant(_) => false,
        KnownArgument::Typed { ty, .. } => ty.size() <= LARGEST,
        KnownArgument::OneOf(them) => guarded(|| them.iter().all(is_small)),
    }
}

fn hash(argument: &KnownArgument, hasher: &mut DefaultHasher) {
    match argument {
        KnownArgument::Constant(_) => (),
        KnownArgument::Typed { ty, null } => (ty, null).hash(hasher),
        KnownArgument::OneOf(them) => guarded(|| them.iter().for_each(|it| hash(it, hasher))),
    }
}

fn same(one: &KnownArgument, other: &KnownArgument) -> bool {
    match (one, other) {
        (
            KnownArgument::Typed { ty, null },
            KnownArgument::Typed { ty: of_other, null: is_null },
        ) => null == is_null && ty == of_other,
        (KnownArgument::OneOf(one), KnownArgument::OneOf(other)) => guarded(|| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }),
        _ => false,
    }
}
