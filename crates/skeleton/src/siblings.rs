//! Second values next to first ones: another name and another range, in the same region and account.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
};

use super::hints::{singular, words};
use stack::guarded;
use tf_value::{Value, ValueContent};

/// The ends of names that no two values of a kind share.
const OWN: [&str; 16] = [
    "_address_",
    "_address_prefix_",
    "_address_space_",
    "_arn_",
    "_cidr_",
    "_cidr_block_",
    "_email_",
    "_fqdn_",
    "_host_",
    "_hostname_",
    "_id_",
    "_index_",
    "_ip_",
    "_key_",
    "_name_",
    "_priority_",
];

/// The words of what values of a kind usually have in common.
const SHARED: [&str; 11] = [
    "_account_",
    "_compartment_",
    "_group_name_",
    "_organization_",
    "_owner_",
    "_project_",
    "_region_",
    "_subscription_",
    "_tenant_",
    "_type_",
    "_vpc_",
];

/// A value of the same kind that may be there as well. `at`: the how many-th one after the first.
pub fn sibling(value: &Value, at: usize) -> Value {
    guarded(|| match value.content() {
        ValueContent::String(text) => Value::string(next_text(text, at)),
        ValueContent::Sequence(all) => Value::tuple(all.iter().map(|it| sibling(it, at)).collect()),
        ValueContent::Mapping(all) => {
            let own = all.iter().map(|(name, it)| {
                let other = if is_own(name) { next(it, at) } else { it.clone() };
                (name.clone(), other)
            });
            Value::object(own.collect::<BTreeMap<_, _>>())
        }
        _ => value.clone(),
    })
}

/// The same for the value of an attribute.
fn next(value: &Value, at: usize) -> Value {
    match value.as_number().and_then(tf_value::Number::to_i64) {
        Some(it) => Value::int(it.saturating_add(i64::try_from(at).unwrap_or_default())),
        None => sibling(value, at),
    }
}

fn is_own(name: &str) -> bool {
    let name = words(&singular(name));
    let is_shared = SHARED.iter().any(|it| name.contains(it));
    !is_shared && OWN.iter().any(|it| name.ends_with(it))
}

/// The next text of its kind: `10.0.1.0/24` after `10.0.0.0/24`, and `example-2` after `example`.
pub fn next_text(text: &str, at: usize) -> String {
    if let Some(it) = next_range(text, at) {
        return it;
    }
    if let Some((name, domain)) = text.split_once('@').filter(|it| !it.1.contains(' ')) {
        return format!("{name}-{}@{domain}", at + 1);
    }
    // An ID, such as a UUID.
    let is_id = |it: char| it.is_ascii_hexdigit() || it == '-';
    let last = text.rsplit(['/', ':']).next().unwrap_or_default();
    let digits = last.chars().filter(char::is_ascii_digit).count();
    if let Some(stem) = text.strip_suffix('0')
        && digits > 5
        && at < 10
        && last.rsplit('-').next().is_some_and(|it| it.chars().all(is_id))
    {
        return format!("{stem}{at}");
    }
    format!("{text}-{}", at + 1)
}

/// The range or the address that follows another one.
fn next_range(text: &str, at: usize) -> Option<String> {
    let (address, length) = match text.split_once('/') {
        Some((address, length)) => (address, Some(length.parse::<u32>().ok()?)),
        None => (text, None),
    };
    let IpAddr::V4(address) = address.parse().ok()? else { return None };
    let width = length.map_or(0, |it| 32_u32.saturating_sub(it));
    let step = u32::try_from(at).ok()?.checked_shl(width)?;
    let next = Ipv4Addr::from(u32::from(address).checked_add(step)?);
    Some(length.map_or_else(|| next.to_string(), |it| format!("{next}/{it}")))
}
