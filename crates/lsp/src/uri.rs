//! Paths and the URIs of documents.

use std::path::{Path, PathBuf};

use lsp_types::Uri;
use system::paths;

/// The absolute path of a `file` URI; `None` for any other.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_ref().strip_prefix("file://")?;
    // A host is not ours, except for this machine.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let text = decoded(rest)?;
    if !text.starts_with('/') || text.contains('\0') {
        return None;
    }
    // On Windows `/c:/x` is `c:/x`.
    let drive = text.as_bytes().get(2) == Some(&b':');
    let text = if cfg!(windows) && drive { &text[1..] } else { &text };
    Some(paths::clean(Path::new(text)))
}

/// The `file` URI of an absolute path.
pub(crate) fn of(path: &Path) -> Uri {
    let mut uri = String::from("file://");
    let text = paths::slashes(path);
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri(uri)
}

/// A text without percent encoding; `None` if it is not UTF-8 then.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_the_way_to_a_uri_and_back() {
        for it in ["/a b/%41/ü#?.tf", "/m/prod.tfvars", "/💥/x"] {
            let uri = of(Path::new(it));
            assert!(uri.as_ref().is_ascii(), "{uri}");
            assert_eq!(path(&uri), Some(PathBuf::from(it)), "{uri}");
        }
    }

    #[test]
    fn a_uri_of_no_file_has_no_path() {
        for it in ["untitled:x.tf", "file:x", "file:///%ff", "file:///a%00b", "file:///%4", ""] {
            assert_eq!(path(&Uri(it.to_owned())), None, "{it}");
        }
        let colon = Uri("file:///a/%3A/../x.tf".to_owned());
        assert_eq!(path(&colon), Some(PathBuf::from("/a/x.tf")));
    }
}
