//! The results of function calls: a reader for each function or family, named as in `functions`.
//!
//! A [`Call`](call::Call) goes in: the function, its arguments as cases, and its domain for their types. Cases
//! come out. The arguments have been read before (`expressions/mod.rs`), except for those of `can` and `try`.
//!
//! A call first asks `functions::domain`, case by case, whether it can give a value at all; then its reader. If
//! there is no reader, or it does not translate these arguments, the result is opaque: its value is not known,
//! and the domain shows where it exists. A reader whose function fails for some values of the arguments' types
//! says for which ones, or that it does not know.

mod call;
mod collection;
pub mod conversions;
mod numeric;
mod string;

use crate::{
    condition::{context::Context, symbolic::Cases},
    sets::{Extent, Reason},
};
use diagnostics::Span;
use tf_eval::functions::{Domain, Function};

/// Reads a call; `None` for arguments that the reader does not translate.
type ReadCall = for<'c, 'm> fn(&call::Call<'c, 'm>) -> Option<Cases<'m>>;

/// Sorted by name.
const READERS: &[(&str, ReadCall)] = &[
    ("alltrue", collection::alltrue),
    ("anytrue", collection::anytrue),
    ("base64decode", string::decoded),
    ("ceil", numeric::rounded),
    ("cidrhost", string::address),
    ("cidrnetmask", string::address),
    ("cidrsubnet", string::address),
    ("coalesce", conversions::coalesce),
    ("compact", collection::compact),
    ("concat", collection::concat),
    ("contains", collection::contains),
    ("distinct", collection::distinct),
    ("element", collection::element),
    ("endswith", string::affix),
    ("flatten", collection::flatten),
    ("floor", numeric::rounded),
    ("formatdate", string::time),
    ("index", collection::index),
    ("jsondecode", string::decoded),
    ("keys", collection::keys),
    ("length", collection::length),
    ("lookup", collection::lookup),
    ("lower", string::lower),
    ("nonsensitive", conversions::marked),
    ("parseint", numeric::parseint),
    ("regex", string::regex),
    ("regexall", string::regexall),
    ("sensitive", conversions::marked),
    ("setintersection", collection::selection),
    ("setsubtract", collection::selection),
    ("setunion", collection::union),
    ("slice", collection::slice),
    ("split", string::split),
    ("startswith", string::affix),
    ("strcontains", string::affix),
    ("strrev", string::strrev),
    ("substr", string::substr),
    ("sum", numeric::sum),
    ("timeadd", string::time),
    ("title", string::title),
    ("tobool", conversions::primitive),
    ("tolist", conversions::tolist),
    ("tomap", conversions::tomap),
    ("tonumber", conversions::primitive),
    ("toset", conversions::toset),
    ("tostring", conversions::primitive),
    ("trim", string::trim),
    ("trimprefix", string::without_affix),
    ("trimspace", string::trimspace),
    ("trimsuffix", string::without_affix),
    ("upper", string::upper),
    ("values", collection::values),
];

/// The result of a call, case by case.
pub fn cases<'m>(
    function: &'static Function,
    args: &[Cases<'m>],
    span: Span,
    context: &Context<'m>,
) -> Cases<'m> {
    let call =
        |args: &[Cases<'m>], domain| read(&call::Call { function, args, span, context, domain });
    // Most calls have one domain, and combinations would copy the arguments.
    if let Some(domain) = call::only_domain(function, args, context) {
        return call(args, domain);
    }
    let Some(combinations) = call::combinations(function, args, context) else {
        return call(args, Domain::Partial);
    };
    let errors = || Extent::any(args.iter().map(|it| it.error.clone()));
    if combinations.iter().all(|it| it.domain == Domain::Always) {
        return Cases::failure();
    }
    if combinations.iter().all(|it| it.domain != Domain::Always) {
        let all = combinations.into_iter().map(|it| it.domain);
        let domain = all.reduce(joined).unwrap_or(Domain::Partial);
        return call(args, domain);
    }
    let mut out = Cases { list: Vec::new(), error: errors() };
    for it in combinations {
        out.add(&it.guard, call(&it.args, it.domain));
    }
    out
}

/// The domain for one case or another. Neither always fails.
fn joined(one: Domain, other: Domain) -> Domain {
    match (one, other) {
        (Domain::Total, other) => other,
        (one, Domain::Total) => one,
        (Domain::FailsOnNull(one), Domain::FailsOnNull(other)) => {
            let mut all = [one, other].concat();
            all.sort_unstable();
            all.dedup();
            Domain::FailsOnNull(all)
        }
        _ => Domain::Partial,
    }
}

fn read<'m>(call: &call::Call<'_, 'm>) -> Cases<'m> {
    if call.domain == Domain::Always {
        return Cases::failure();
    }
    let found = READERS.binary_search_by(|it| it.0.cmp(call.name())).ok();
    match found.and_then(|it| READERS.get(it)) {
        Some((_, reader)) => reader(call).unwrap_or_else(|| call.untranslated()),
        None => call.opaque(Reason::Call(call.name().into())),
    }
}
