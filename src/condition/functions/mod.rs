//! Calls of functions as terms: a reader for each function or family, named as in `functions`.
//!
//! A call first asks `functions::domain`, case by case, whether it can give a value at all; then its
//! reader. Where there is none, or it does not read these arguments, the result is opaque, and where it
//! is there the domain tells. A reader whose function fails for some values of the arguments' types says
//! for which, or that it does not know.

mod call;
mod coalesce;
mod collection;
mod conversions;
mod fallback;
mod keys;
mod length;
mod lookup;
mod numeric;
mod search;
mod set_operations;
mod string;
mod texts;
mod truth;

pub use call::Call;

use crate::{
    condition::{
        context::{Context, Folded},
        symbolic::Cases,
        terms,
    },
    functions::{self, Argument, Domain, Function},
    sets::Extent,
    syntax::{Expr, Ident},
    value::Value,
};

/// What a call gives; `None` for arguments that it is not read with.
type Reader = for<'c, 'm> fn(&Call<'c, 'm>) -> Option<Cases<'m>>;

/// Sorted by name.
const READERS: &[(&str, Reader)] = &[
    ("alltrue", truth::alltrue),
    ("anytrue", truth::anytrue),
    ("base64decode", texts::decoded),
    ("ceil", numeric::rounded),
    ("cidrhost", texts::address),
    ("cidrnetmask", texts::address),
    ("cidrsubnet", texts::address),
    ("coalesce", coalesce::coalesce),
    ("compact", collection::compact),
    ("concat", collection::concat),
    ("contains", search::contains),
    ("distinct", collection::distinct),
    ("element", collection::element),
    ("endswith", string::affix),
    ("flatten", collection::flatten),
    ("floor", numeric::rounded),
    ("formatdate", texts::time),
    ("index", search::index),
    ("jsondecode", texts::decoded),
    ("keys", keys::keys),
    ("length", length::length),
    ("lookup", lookup::lookup),
    ("lower", string::lower),
    ("nonsensitive", conversions::marked),
    ("parseint", numeric::parseint),
    ("regex", string::regex),
    ("regexall", string::regexall),
    ("sensitive", conversions::marked),
    ("setintersection", set_operations::selection),
    ("setsubtract", set_operations::selection),
    ("setunion", set_operations::union),
    ("split", string::split),
    ("startswith", string::affix),
    ("strcontains", string::affix),
    ("strrev", string::strrev),
    ("substr", string::substr),
    ("sum", numeric::sum),
    ("timeadd", texts::time),
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
    ("values", keys::values),
];

/// A call as it is written.
pub fn cases<'m>(
    name: &Ident,
    args: &'m [Expr],
    expand: bool,
    expr: &'m Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let span = expr.span;
    if expand {
        return Cases::unknown("a call with an expanded argument", span);
    }
    let plain = name.name.strip_prefix("core::").unwrap_or(&name.name);
    match (plain, args) {
        ("can", [inner]) => return fallback::can(inner, context),
        ("try", _) => return fallback::attempt(args, context),
        _ => (),
    }
    let values: Vec<Cases<'m>> = args.iter().map(|it| terms::cases(it, context)).collect();
    let Some(function) = functions::lookup(plain) else {
        if plain.starts_with("provider::") {
            return Cases::unknown(format!("a call of `{plain}`"), span);
        }
        // There is no such function: an error, which `can` takes for one.
        return Cases::failure();
    };
    if is_lazy(function) {
        return Cases::unknown(format!("a call of `{plain}`"), span);
    }
    let constants: Option<Vec<Value>> = values.iter().map(|it| it.as_constant().cloned()).collect();
    if let Some(constants) = constants {
        match context.fold_call(name, &constants, span) {
            Folded::Value(value) => return Cases::constant(value),
            Folded::Error if !asks_the_machine(function) => return Cases::failure(),
            _ => return Cases::unknown(format!("a call of `{plain}` with these arguments"), span),
        }
    }
    of_function(function, &values, expr, context)
}

/// Those that read their arguments unevaluated.
fn is_lazy(function: &Function) -> bool {
    matches!(function.name, "can" | "convert" | "templatestring" | "try")
}

/// Whether it asks for files or for the working directory.
fn asks_the_machine(function: &Function) -> bool {
    function.name.starts_with("file")
        || matches!(function.name, "abspath" | "pathexpand" | "templatefile" | "plantimestamp")
}

fn of_function<'m>(
    function: &'static Function,
    args: &[Cases<'m>],
    expr: &Expr,
    context: &Context<'m>,
) -> Cases<'m> {
    let call = |args: &[Cases<'m>], domain| {
        read(&Call { function, args, span: expr.span, context, domain })
    };
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

/// The domain for one case or another, none of which always fails.
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

/// The domain of a function for arguments that no call has written.
pub fn domain(name: &str, arguments: &[Argument], context: &Context<'_>) -> Domain {
    match functions::lookup(name) {
        Some(function) => call::of_releases(function, arguments, context),
        None => Domain::Partial,
    }
}

fn read<'m>(call: &Call<'_, 'm>) -> Cases<'m> {
    if call.domain == Domain::Always {
        return Cases::failure();
    }
    let found = READERS.binary_search_by(|it| it.0.cmp(call.name())).ok();
    match found.and_then(|it| READERS.get(it)) {
        Some((_, reader)) => reader(call).unwrap_or_else(|| call.untranslated()),
        None => call.opaque(&format!("a call of `{}`", call.name())),
    }
}
