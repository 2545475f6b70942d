//! Functions that read a text in some format, and fail for all others: `base64decode`, `cidrhost`,
//! `cidrnetmask`, `cidrsubnet`, `formatdate`, `jsondecode`, `timeadd`.

use super::call::Call;
use crate::{
    condition::{
        context::Folded,
        patterns::{address, text},
        symbolic::{Cases, Known, Leaf, Place, Term, views::View},
    },
    sets::{Reason, Region, ValueSet},
};
use hcl::Ident;
use tf_value::{Type, Value};

/// A value that is there exactly where the leaf is true, and fails where it fails.
pub fn tested<'m>(place: &Place, leaf: Leaf, known: Known) -> Cases<'m> {
    Cases::opaque(place.lift(leaf.when_true, false), place.lift(leaf.error, true), known)
}

/// The string at the place itself where the leaf is true; it fails where the leaf fails.
pub fn passed<'m>(place: &Place, leaf: Leaf) -> Cases<'m> {
    let mut out = Cases { list: Vec::new(), error: place.lift(leaf.error, true) };
    out.add(&place.lift(leaf.when_true, false), Cases::one(Term::Place(place.clone())));
    out
}

/// `cidrhost`, `cidrnetmask` and `cidrsubnet`.
pub fn address<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it, rest @ ..] = call.args else { return None };
    Some(it.map(|term| of_prefix(term, rest, call)))
}

fn of_prefix<'m>(term: &Term<'m>, rest: &[Cases<'m>], call: &Call<'_, 'm>) -> Cases<'m> {
    let Term::Place(place) = term else { return call.untranslated() };
    // `"${ip}/32"`: an address alone, whose length is known.
    let inner = place.before_view(|it| match it {
        View::Affix(it) => it.prefix_length(),
        _ => None,
    });
    if place.ty != Type::String {
        return call.untranslated();
    }
    let first = rest.first().and_then(|it| it.as_constant()?.as_number()?.to_i64());
    let (pattern, exact) = match (call.name(), first, rest) {
        ("cidrnetmask", ..) if let Some((_, length)) = inner => (address::masked(length), true),
        ("cidrhost", Some(host @ 0..), _) if let Some((_, length)) = inner => {
            (address::alone(&[32, 128], length, address::bits(host)), true)
        }
        ("cidrnetmask", ..) => (address::masked_prefix(), true),
        ("cidrhost", Some(host @ 0..), _) => (address::prefix(address::bits(host)), true),
        ("cidrsubnet", Some(bits @ 0..), [_, net])
            if let Some(net @ 0..) = net.as_constant().and_then(|it| it.as_number()?.to_i64())
                && address::bits(net) <= u64::try_from(bits).unwrap_or(u64::MAX) =>
        {
            (address::prefix(bits.unsigned_abs()), true)
        }
        _ => (address::prefix(0), false),
    };
    let place = inner.as_ref().filter(|_| call.name() != "cidrsubnet").map_or(place, |it| &it.0);
    let values = match pattern.as_str() {
        "" => ValueSet::Nothing,
        _ => ValueSet::Matches(pattern),
    };
    let mut leaf = Leaf::or_error(values);
    if !exact {
        leaf.when_true = leaf.when_true.losing(Reason::AddressPart, call.span);
        leaf.error = Region::unknown(Reason::AddressPart, call.span);
    }
    tested(place, leaf, Known { ty: Type::String, null: false })
}

/// `base64decode` and `jsondecode`.
pub fn decoded<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [it] = call.args else { return None };
    let (pattern, known) = match call.name() {
        "base64decode" => (text::BASE64, Known { ty: Type::String, null: false }),
        _ => (text::JSON, Known { ty: Type::Dynamic, null: true }),
    };
    let reason = Reason::TextReadBy(call.name().into());
    of_text(it, call, pattern, &known, Some(&reason))
}

/// `timeadd` and `formatdate`.
pub fn time<'m>(call: &Call<'_, 'm>) -> Option<Cases<'m>> {
    let [one, other] = call.args else { return None };
    let is_first = call.name() == "timeadd";
    let (it, constant) = if is_first { (one, other) } else { (other, one) };
    let (constant, sample) = (constant.as_constant()?, Value::string("2024-01-01T00:00:00Z"));
    let args = if is_first { [sample, constant.clone()] } else { [constant.clone(), sample] };
    let name = Ident { name: call.name().into(), span: call.span };
    let Folded::Value(_) = call.context.fold_call(&name, &args, call.span) else { return None };
    of_text(it, call, text::TIMESTAMP, &Known { ty: Type::String, null: false }, None)
}

/// The result for strings that the pattern matches; other strings fail. With a reason, some that match fail, too.
fn of_text<'m>(
    it: &Cases<'m>,
    call: &Call<'_, 'm>,
    pattern: &str,
    known: &Known,
    reason: Option<&Reason>,
) -> Option<Cases<'m>> {
    Some(it.map(|term| match term {
        Term::Place(place) if place.ty == Type::String => {
            let mut leaf = Leaf::or_error(ValueSet::Matches(pattern.to_owned()));
            if let Some(reason) = reason {
                leaf.when_true = leaf.when_true.losing(reason.clone(), call.span);
                leaf.error = Region::unknown(reason.clone(), call.span);
            }
            tested(place, leaf, known.clone())
        }
        _ => call.untranslated(),
    }))
}
