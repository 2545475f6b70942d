//! The texts that Terraform reads as numbers, addresses and timestamps, as regular expressions.
//!
//! Input is a question about a text: which part it contains, how large a number it spells, how many bits an
//! address leaves. Output is a pattern in ECMAScript's syntax, or a set of strings made of some.
//! Terms, places and expressions are not known here.

pub mod address;
pub mod number;
pub mod text;

/// The name and the title of a pattern of ours that people would not recognise.
pub fn named(pattern: &str) -> Option<(String, String)> {
    let named = |name: &str, title: &str| Some((name.to_owned(), title.to_owned()));
    if pattern == text::TIMESTAMP {
        return named("timestamp", "A timestamp (RFC 3339)");
    }
    if pattern == number::NUMERIC {
        return named("number-as-text", "The text of a number");
    }
    if pattern == address::masked_prefix() {
        return named("ipv4-prefix", "An IPv4 prefix (CIDR)");
    }
    match (0..=address::MOST_BITS).find(|it| pattern == address::prefix(*it))? {
        0 => named("prefix", "An IPv4 or IPv6 prefix (CIDR)"),
        1 => named("prefix-of-1-bit", "An IPv4 or IPv6 prefix (CIDR) with room for 1 bit"),
        bits => Some((
            format!("prefix-of-{bits}-bits"),
            format!("An IPv4 or IPv6 prefix (CIDR) with room for {bits} bits"),
        )),
    }
}
