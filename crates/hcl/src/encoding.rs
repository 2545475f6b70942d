//! The encoding of files that only this program reads: configurations and rules. Terraform reads UTF-8 alone, and
//! Windows PowerShell's `>` writes UTF-16.

use encoding_rs::{Encoding, UTF_8};

/// The text in UTF-8, if it begins with a byte order mark of UTF-16 and is in that encoding. All other bytes stay as
/// they are.
pub fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    let Some((encoding, length)) = Encoding::for_bom(&bytes).filter(|it| it.0 != UTF_8) else {
        return bytes;
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[length..]);
    text.map(|it| it.into_owned().into_bytes()).unwrap_or(bytes)
}
