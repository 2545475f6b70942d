//! `can(cidrhost(var.x, 0))` and its siblings: which strings are prefixes of addresses.

use std::{collections::HashSet, ops::RangeInclusive, sync::LazyLock};

use super::number::up_to;

const OCTET: &str = "0*(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/// One way to read each text: after `0*`, a further zero only where no other digit follows. With
/// `0*[0-9a-fA-F]{1,4}` an engine that backtracks has four ways to read `0000`, so 65,536 for eight groups.
const GROUP: &str = "0*(?:[1-9a-fA-F][0-9a-fA-F]{0,3}|0)";

/// A number of more bits fits into no IPv4 address.
pub const MOST_BITS: u64 = 32;

/// A prefix that has a netmask, as Terraform reads it: zeros may lead, host bits may be set. For example:
/// `10.0.0.0/8`, and `::ffff:10.0.0.0/104`, which says the same in IPv6.
pub fn masked_prefix() -> String {
    let mapped = mapped();
    let long = "9[6-9]|1[01][0-9]|12[0-8]";
    format!("^(?:{}/0*(?:3[0-2]|[12]?[0-9])|(?:{mapped})/0*(?:{long}))$", ipv4())
}

/// An address that has a netmask with a prefix of this length; empty where there is none.
pub fn masked(length: u64) -> String {
    match length {
        0..=32 => format!("^(?:{})$", ipv4()),
        96..=128 => format!("^(?:{})$", mapped()),
        _ => String::new(),
    }
}

/// All patterns that this file makes.
static ALL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let alone = [[32, 0], [128, 0], [32, 128]].map(|it| alone(&it, 0, 0));
    (0..=MOST_BITS).map(prefix).chain(alone).chain([masked_prefix(), masked(128)]).collect()
});

/// Whether this file made a pattern, so that every engine can read it in one way only.
pub fn is_of_addresses(pattern: &str) -> bool {
    pattern.starts_with("^(?:") && pattern.contains(OCTET) && ALL.contains(pattern)
}

static IPV6: LazyLock<String> = LazyLock::new(ipv6);

/// The pattern of an IPv4 or IPv6 prefix that leaves room for so many bits.
pub fn prefix(bits: u64) -> String {
    let length = |most: u64| match most {
        32 => "3[0-2]|[12]?[0-9]".to_owned(),
        128 => "12[0-8]|1[01][0-9]|[1-9]?[0-9]".to_owned(),
        most => up_to(most),
    };
    let forms = [(32, ipv4()), (128, format!("(?:{})", *IPV6))];
    let forms = forms.iter().filter_map(|(most, form)| {
        Some(format!("{form}/0*(?:{})", length(u64::checked_sub(*most, bits)?)))
    });
    format!("^(?:{})$", forms.collect::<Vec<_>>().join("|"))
}

/// An address without a length, for which this one leaves room for so many bits in one of the two
/// kinds of addresses; empty where there is none.
pub fn alone(kinds: &[u64], length: u64, bits: u64) -> String {
    let forms = [(32, ipv4()), (128, format!("(?:{})", *IPV6))];
    let fits =
        |most: u64| kinds.contains(&most) && length.checked_add(bits).is_some_and(|it| it <= most);
    let forms: Vec<String> = forms.into_iter().filter(|it| fits(it.0)).map(|it| it.1).collect();
    match forms.as_slice() {
        [] => String::new(),
        some => format!("^(?:{})$", some.join("|")),
    }
}

/// The number of bits of a number.
pub fn bits(number: i64) -> u64 {
    u64::from(i64::BITS - number.leading_zeros())
}

fn ipv4() -> String {
    format!("(?:{OCTET}\\.){{3}}{OCTET}")
}

fn ipv6() -> String {
    let ipv4 = ipv4();
    let mut forms = vec![format!("(?:{GROUP}:){{7}}{GROUP}"), format!("(?:{GROUP}:){{6}}{ipv4}")];
    // `::` replaces at least one group: with N groups before it, at most 7 - N follow. An IPv4 tail
    // counts as two groups.
    for before in 0..=7usize {
        let head = match before {
            0 => ":".to_owned(),
            n => format!("{GROUP}{}:", times(&format!(":{GROUP}"), n - 1..=n - 1)),
        };
        let after = 7 - before;
        if after == 0 {
            forms.push(format!("{head}:"));
            continue;
        }
        let mut tails = vec![format!("{GROUP}{}", times(&format!(":{GROUP}"), 0..=after - 1))];
        if after >= 2 {
            tails.push(format!("{}{ipv4}", times(&format!("{GROUP}:"), 0..=after - 2)));
        }
        forms.push(format!("{head}:(?:{})?", tails.join("|")));
    }
    forms.join("|")
}

/// An IPv4 address in IPv6: five groups of zeros, `ffff`, and the address in two groups or with dots.
fn mapped() -> String {
    let ipv4 = ipv4();
    let (zero, marker) = ("0+", "0*[fF]{4}");
    let address = format!(":(?:{GROUP}:{GROUP}|{ipv4})");
    // `::` replaces groups of the address, nothing, or some of the zeros (then at least one).
    let short = format!(":(?::(?:{GROUP})?|{GROUP}::)");
    let mut forms = vec![format!("(?:{zero}:){{5}}{marker}(?:{address}|{short})")];
    for before in 0..=4usize {
        let head = match before {
            0 => ":".to_owned(),
            n => format!("{zero}{}:", times(&format!(":{zero}"), n - 1..=n - 1)),
        };
        let zeros = times(&format!("{zero}:"), 0..=4 - before);
        forms.push(format!("{head}:{zeros}{marker}{address}"));
    }
    forms.join("|")
}

/// The pattern of a part that is repeated.
fn times(part: &str, count: RangeInclusive<usize>) -> String {
    match (*count.start(), *count.end()) {
        (_, 0) => String::new(),
        (1, 1) => part.to_owned(),
        (0, 1) => format!("(?:{part})?"),
        (least, most) if least == most => format!("(?:{part}){{{most}}}"),
        (least, most) => format!("(?:{part}){{{least},{most}}}"),
    }
}

/// No engine backtracks in these patterns, so users get no notes about patterns that we wrote.
#[test]
fn are_read_in_one_way() {
    use re2::{Backtracking, backtracking};

    assert_eq!(ALL.len(), 38);
    for pattern in ALL.iter().cloned().chain([alone(&[32, 128], 24, 3), prefix(100)]) {
        assert_eq!(backtracking(&pattern, &mut 0), Backtracking::Linear, "{pattern}");
    }
}
