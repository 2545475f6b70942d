//! Lists, sets, maps, tuples and objects.

mod chunklist;
mod coalesce;
mod concat;
mod distinct;
mod element;
mod flatten;
mod identity;
mod keys;
mod length;
mod lookup;
mod matchkeys;
mod merge;
mod range;
mod reverse;
mod search;
mod set_operations;
mod setproduct;
mod slice;
mod sum;
mod texts;
mod transpose;
mod truth;
mod zipmap;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    truth::ALLTRUE,
    truth::ANYTRUE,
    chunklist::CHUNKLIST,
    coalesce::COALESCE,
    coalesce::COALESCELIST,
    texts::COMPACT,
    concat::CONCAT,
    search::CONTAINS,
    distinct::DISTINCT,
    element::ELEMENT,
    flatten::FLATTEN,
    search::INDEX,
    keys::KEYS,
    length::LENGTH,
    lookup::LOOKUP,
    matchkeys::MATCHKEYS,
    merge::MERGE,
    element::ONE,
    range::RANGE,
    reverse::REVERSE,
    set_operations::SETINTERSECTION,
    setproduct::SETPRODUCT,
    set_operations::SETSUBTRACT,
    set_operations::SETUNION,
    slice::SLICE,
    texts::SORT,
    sum::SUM,
    transpose::TRANSPOSE,
    keys::VALUES,
    zipmap::ZIPMAP,
];
