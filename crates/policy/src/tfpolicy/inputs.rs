//! `input "NAME" { … }`: values that are given to a policy file from outside.
//!
//! They are declared like the `context` blocks of the other language, and get their values from the same
//! places.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use crate::language::{
    GivenContexts,
    contexts::{Declaring, values_of},
};
use diagnostics::{Diagnostics, Sources};
use hcl::Block;
use tf_eval::Meter;
use tf_value::Value;

/// The object `input` of a file. Of the given values, only those of declared inputs are read.
pub(super) fn values(
    blocks: &[&Block],
    given: &GivenContexts,
    sources: &mut Sources,
    meter: &Meter,
) -> (Value, Diagnostics) {
    // A name that no file declares is reported once, with the contexts of the other language.
    let declaring = Declaring { word: "input", is_elsewhere: &|_| true, has_environment: true };
    values_of(declaring, blocks, given, sources, meter)
}

/// The names of the inputs that are declared.
pub(super) fn names(blocks: &[&Block]) -> BTreeSet<SmolStr> {
    blocks.iter().filter_map(|it| it.labels.first()).map(|it| it.text.clone()).collect()
}
