//! Lists, sets, maps, tuples and objects.

mod identity;
mod lists;
mod maps;
mod reductions;
mod sets;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    reductions::ALLTRUE,
    reductions::ANYTRUE,
    lists::CHUNKLIST,
    reductions::COALESCE,
    reductions::COALESCELIST,
    lists::COMPACT,
    lists::CONCAT,
    reductions::CONTAINS,
    lists::DISTINCT,
    lists::ELEMENT,
    lists::FLATTEN,
    reductions::INDEX,
    maps::KEYS,
    reductions::LENGTH,
    maps::LOOKUP,
    lists::MATCHKEYS,
    maps::MERGE,
    lists::ONE,
    lists::RANGE,
    lists::REVERSE,
    sets::SETINTERSECTION,
    sets::SETPRODUCT,
    sets::SETSUBTRACT,
    sets::SETUNION,
    lists::SLICE,
    lists::SORT,
    reductions::SUM,
    maps::TRANSPOSE,
    maps::VALUES,
    maps::ZIPMAP,
];
