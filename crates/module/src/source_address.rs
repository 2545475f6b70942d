//! Addresses of modules, as the `source` of a call writes them: which ones Terraform can install from at all.
//!
//! Terraform takes an address for a local path, for one of a module registry, or for a remote package. It finds
//! the kind of a remote package by the form of its address; an address of no known form is refused before
//! anything is downloaded.

use release::Product;

/// Whether a source is a path relative to the calling module.
pub fn is_local(source: &str) -> bool {
    ["./", "../", ".\\", "..\\"].iter().any(|it| source.starts_with(it))
}

/// Why Terraform refuses an address, before it installs anything.
pub fn refusal(source: &str) -> Option<String> {
    if is_local(source) || registry_refusal(source).is_none() {
        return None;
    }
    remote_refusal(source)
}

/// Why an address is not one of a module registry. Only those have versions.
pub fn registry_refusal(source: &str) -> Option<&'static str> {
    if is_local(source) {
        return Some("A local module has no version: remove the argument \"version\".");
    }
    let (package, inside) = split(source);
    if clean(inside).starts_with("../") {
        return Some(OUTSIDE);
    }
    let parts: Vec<&str> = package.split('/').collect();
    let (host, names) = match parts.as_slice() {
        names @ [_, _, _] => (None, names),
        [host, names @ ..] if names.len() == 3 => (Some(*host), names),
        _ => {
            return Some(
                "Only modules from a registry can have a version. Their address is \
                NAMESPACE/NAME/PROVIDER or HOST/NAMESPACE/NAME/PROVIDER.",
            );
        }
    };
    if let Some(refusal) = host.and_then(host_refusal) {
        return Some(refusal);
    }
    let is_valid = is_name(names[0]) && is_name(names[1]) && is_target(names[2]);
    (!is_valid)
        .then_some("It is not the address of a registry module: one of its names is not valid.")
}

/// How packages are downloaded.
const METHODS: [&str; 7] = ["file", "gcs", "git", "hg", "http", "https", "s3"];

const OUTSIDE: &str = "The directory after \"//\" leads out of the package.";

/// Hosts whose addresses are those of repositories.
const OF_REPOSITORIES: [&str; 2] = ["github.com", "bitbucket.org"];

/// A namespace or the name of a module: letters, digits, and inside of it dashes and underscores.
fn is_name(name: &str) -> bool {
    let is_ascii = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
    let is_end = |sign: Option<u8>| sign.is_some_and(|it| it.is_ascii_alphanumeric());
    name.len() <= 64
        && name.bytes().all(is_ascii)
        && is_end(name.bytes().next())
        && is_end(name.bytes().next_back())
}

fn is_target(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
}

/// Whether a text names the host of a registry, where it may have a port.
pub fn is_registry_host(host: &str) -> bool {
    let is_port = |port: &str| port.parse::<i64>().is_ok_and(|it| it <= 65535);
    match host.split_once(':') {
        Some((name, port)) => is_port(port) && is_host(name),
        None => is_host(host),
    }
}

fn host_refusal(host: &str) -> Option<&'static str> {
    if !is_registry_host(host) {
        return Some(
            "The host name of the registry is not valid (write Unicode letters, not xn--…).",
        );
    }
    let name = host.split_once(':').map_or(host, |it| it.0);
    if !name.contains('.') {
        return Some("The host name of a registry must contain a dot.");
    }
    OF_REPOSITORIES.contains(&name.to_lowercase().as_str()).then_some(
        "This host has repositories, but no module registry: remove the argument \"version\".",
    )
}

/// Whether a text is a host name that people read: labels between dots.
fn is_host(name: &str) -> bool {
    let is_label = |label: &str| {
        let is_sign = |it: char| it.is_ascii_alphanumeric() || it == '-' || is_written(it);
        let has_dashes = label.chars().skip(2).take(2).filter(|it| *it == '-').count() == 2;
        let is_encoded = label.starts_with("XN--");
        !label.is_empty()
            && label.chars().all(is_sign)
            && !label.starts_with("xn--")
            && (!has_dashes || is_encoded)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let labels = || name.strip_suffix('.').unwrap_or(name).split(['.', '。']);
    let is_of_right =
        labels().any(|label| label.chars().any(|it| direction(it) == Direction::Right));
    let is_mixed = is_of_right || labels().any(|it| it.contains(is_arabic_digit));
    labels().all(|it| is_label(it) && (!is_mixed || has_one_direction(it)))
}

#[derive(PartialEq)]
enum Direction {
    Left,
    Right,
    /// Digits, dashes and marks.
    None,
}

/// The direction in which a character is written, for those that a host name may have.
fn direction(sign: char) -> Direction {
    match sign {
        '\u{591}'..='\u{5bd}'
        | '\u{5bf}'
        | '\u{5c1}'
        | '\u{5c2}'
        | '\u{5c4}'
        | '\u{5c5}'
        | '\u{5c7}' => Direction::None,
        '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' => Direction::None,
        _ if is_arabic_digit(sign) => Direction::None,
        '\u{300}'..='\u{36f}' | '\u{6d6}'..='\u{6dc}' | '\u{6f0}'..='\u{6f9}' | '-' | '0'..='9' => {
            Direction::None
        }
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}' => Direction::Right,
        _ => Direction::Left,
    }
}

fn is_arabic_digit(sign: char) -> bool {
    matches!(sign, '\u{600}'..='\u{605}' | '\u{660}'..='\u{669}' | '\u{66b}' | '\u{66c}' | '\u{6dd}')
}

/// Whether a label of a host name with signs from right to left is written in one direction: it begins with a letter,
/// Arabic digits are not among letters from left to right, and not among other digits.
fn has_one_direction(label: &str) -> bool {
    let is_digit = |it: char| matches!(it, '0'..='9' | '\u{6f0}'..='\u{6f9}');
    let has = |wanted: Direction| label.chars().any(|it| direction(it) == wanted);
    let has_arabic = label.contains(is_arabic_digit);
    match label.chars().next().map(direction) {
        Some(Direction::Left) => !has(Direction::Right) && !has_arabic,
        Some(Direction::Right) => !(has(Direction::Left) || has_arabic && label.contains(is_digit)),
        _ => false,
    }
}

/// Whether a character outside of ASCII may be in a host name. Joiners and what looks like a dot may not.
fn is_written(sign: char) -> bool {
    let is_refused = matches!(sign, '\u{200c}' | '\u{200d}' | '\u{2024}' | '\u{fe52}');
    !sign.is_ascii() && !sign.is_whitespace() && !sign.is_control() && !is_refused
}

/// Why an address that is neither local nor of a registry is refused.
fn remote_refusal(source: &str) -> Option<String> {
    let (package, inside) = split(source);
    let inside = clean(inside);
    if inside.starts_with("../") {
        return Some(OUTSIDE.to_owned());
    }
    let rest = without_method(&package);
    let method = package[..package.len() - rest.len()].trim_end_matches(':');
    let is_of_web = |it: &str| it.eq_ignore_ascii_case("http") || it.eq_ignore_ascii_case("https");
    // The rest of `git://x` behind a method may have a directory again.
    let (package, _) = split(rest);
    let package = package.as_str();
    if package.is_empty() {
        return Some("The address names no package.".to_owned());
    }
    if let Some(scheme) = scheme(package) {
        let is_web = is_of_web(scheme) && (method.is_empty() || is_of_web(method));
        return (is_web && !has_host(package)).then(|| "The address names no host.".to_owned());
    }
    let path = package.split('?').next().unwrap_or_default();
    if path.starts_with("github.com/") {
        return github_refusal(path, &inside);
    }
    if let Some(query) = git_query(package) {
        let is_valid = !query.contains(';') && is_escaped(query);
        return (!is_valid).then(|| "Its query is not valid.".to_owned());
    }
    // Whether the repository exists is asked of the host.
    if path.starts_with("bitbucket.org/") {
        return None;
    }
    if package.contains("googleapis.com/") {
        return storage_refusal(path);
    }
    if package.contains(".amazonaws.com/") {
        return bucket_refusal(path);
    }
    if package.starts_with('/') {
        return None;
    }
    Some(format!(
        "The source is not a local path, a registry address or a package address. For a local \
        path, write \"./{source}\"."
    ))
}

/// The method (`x` of `x::…`) or scheme of a remote package by which no release downloads anything.
pub fn unknown_method(source: &str, product: Product) -> Option<&str> {
    if is_local(source) || registry_refusal(source).is_none() {
        return None;
    }
    let rest = without_method(source);
    let (method, is_known): (_, fn(&str, &str) -> bool) = match source.len() - rest.len() {
        0 => (scheme(source)?, str::eq_ignore_ascii_case),
        length => (&source[..length - "::".len()], |one, other| one == other),
    };
    let of_tofu = ["oci"].into_iter().filter(|_| product == Product::OpenTofu);
    let known = METHODS.into_iter().chain(of_tofu).any(|it| is_known(method, it));
    (!known).then_some(method)
}

fn github_refusal(path: &str, inside: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let [host, owner, name, rest @ ..] = parts.as_slice() else {
        return Some("An address at GitHub is github.com/OWNER/REPOSITORY.".to_owned());
    };
    if scheme(&format!("https://{host}/{owner}/{name}")).is_none() {
        return Some("It is not a valid address at GitHub.".to_owned());
    }
    let within = clean(&format!("{}/{inside}", rest.join("/")));
    (!rest.is_empty() && within.starts_with("../")).then(|| OUTSIDE.to_owned())
}

/// The query of a Git address in the form of `scp`: `git@HOST:PATH`.
fn git_query(package: &str) -> Option<&str> {
    let (host, path) = package.strip_prefix("git@")?.split_once(':')?;
    let is_address = !host.is_empty() && !path.is_empty();
    is_address.then(|| path.split_once('?').map_or("", |it| it.1))
}

fn storage_refusal(path: &str) -> Option<String> {
    let is_long = path.split('/').count() >= 4;
    let is_valid = is_long && !path.contains([' ', '%']);
    (!is_valid).then(|| {
        "An address at Google Cloud Storage is www.googleapis.com/storage/v1/BUCKET/OBJECT."
            .to_owned()
    })
}

fn bucket_refusal(path: &str) -> Option<String> {
    let host: Vec<&str> = path.split('/').next().unwrap_or_default().split('.').collect();
    let is_valid = match host.len() {
        3 | 4 => true,
        5 => host[1] == "s3",
        _ => false,
    };
    (!is_valid).then(|| "It is not a valid address of an S3 bucket.".to_owned())
}

/// The address without the method in front of it: `git::https://example.com/x` is the address
/// `https://example.com/x`.
fn without_method(package: &str) -> &str {
    match package.split_once("::") {
        Some((method, rest))
            if !method.is_empty()
                && !rest.is_empty()
                && method.bytes().all(|it| it.is_ascii_alphanumeric()) =>
        {
            rest
        }
        _ => package,
    }
}

/// The package, with the query, and the directory inside of it that follows `//`.
fn split(source: &str) -> (String, &str) {
    let end = source.find('?').unwrap_or(source.len());
    let after_scheme = source[..end].find("://").map_or(0, |it| it + 3);
    let Some(at) = source[after_scheme..end].find("//").map(|it| it + after_scheme) else {
        return (source.to_owned(), "");
    };
    let (package, inside, query) = (&source[..at], &source[at + 2..end], &source[end..]);
    (format!("{package}{query}"), inside)
}

/// The shortest path of the same meaning; of an empty one an empty one.
fn clean(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let is_rooted = path.starts_with('/');
    for part in path.split('/').filter(|it| !it.is_empty() && *it != ".") {
        match (part, kept.last()) {
            ("..", Some(last)) if *last != ".." => drop(kept.pop()),
            ("..", _) if is_rooted => (),
            _ => kept.push(part),
        }
    }
    let root = if is_rooted { "/" } else { "" };
    format!("{root}{}", kept.join("/"))
}

// Addresses with a scheme, such as `https://example.com/module.zip`, as Go's standard library reads them. Terraform
// takes a text that Go can read, and nothing else, for an address with a scheme.

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
    is_port(port) && is_host_text(host)
}

/// Whether an address with a scheme names a host or a port.
fn has_host(address: &str) -> bool {
    let authority = address.split_once("://").map_or("", |it| it.1);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |it| it.1);
    !host.is_empty()
}

/// Nothing, or a colon and any number of digits.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|it| it.is_ascii_digit()))
}

/// In a host, only what lies outside of ASCII may be escaped.
fn is_host_text(host: &str) -> bool {
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
