//! Addresses with a scheme, such as `https://example.com/module.zip`, as Go's standard library reads them. Terraform
//! takes a text that Go can read, and nothing else, for an address with a scheme.

/// The scheme of a valid address that has one.
pub fn scheme(address: &str) -> Option<&str> {
    if address.bytes().any(|it| it.is_ascii_control()) {
        return None;
    }
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (scheme, rest) = address.split_once(':')?;
    let mut signs = scheme.bytes();
    let is_scheme = signs.next()?.is_ascii_alphabetic()
        && signs.all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    let path = rest.split('?').next().unwrap_or_default();
    let (authority, path) = match path.strip_prefix("//") {
        Some(it) => it.find('/').map_or((it, ""), |at| it.split_at(at)),
        None => ("", path),
    };
    // Without a slash after the scheme, nothing else is read.
    let is_opaque = !path.starts_with('/') && authority.is_empty() && !rest.starts_with("//");
    let is_valid = is_scheme
        && is_escaped(fragment)
        && (is_opaque || is_escaped(path) && is_authority(authority));
    is_valid.then_some(scheme)
}

/// Whether each percent sign is followed by two hexadecimal digits.
pub fn is_escaped(text: &str) -> bool {
    let is_hex = |it: Option<&u8>| it.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let mut signs = bytes.iter().enumerate().filter(|(_, it)| **it == b'%');
    signs.all(|(at, _)| is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)))
}

/// `USER@HOST:PORT`
fn is_authority(authority: &str) -> bool {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (user, host),
        None => ("", authority),
    };
    let is_user = |it: u8| it.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&it);
    if !user.bytes().all(is_user) || !is_escaped(user) {
        return false;
    }
    if let Some(inside) = host.strip_prefix('[') {
        return inside.split_once(']').is_some_and(|(_, port)| is_port(port));
    }
    let port = host.rfind(':').map_or("", |at| &host[at..]);
    is_port(port) && is_host(host)
}

/// Nothing, or a colon and any number of digits.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|it| it.is_ascii_digit()))
}

/// In a host, only what lies outside of ASCII may be escaped.
fn is_host(host: &str) -> bool {
    let bytes = host.as_bytes();
    let is_plain = |it: u8| {
        !it.is_ascii() || it.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&it)
    };
    let is_high = |at: usize| bytes.get(at + 1).is_some_and(|it| *it >= b'8');
    let is_zone = |at: usize| bytes.get(at..at + 3) == Some(b"%25".as_slice());
    is_escaped(host)
        && bytes.iter().all(|it| is_plain(*it))
        && bytes.iter().enumerate().all(|(at, it)| *it != b'%' || is_high(at) || is_zone(at))
}
