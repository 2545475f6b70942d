//! Private keys as `ssh-keygen` writes them.

use base64::{Engine, engine::general_purpose::STANDARD};
use rsa::{BigUint, RsaPrivateKey};

const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC: &[u8] = b"openssh-key-v1\0";

/// The RSA key in an unencrypted OpenSSH file.
pub fn private_key(pem: &str) -> Option<RsaPrivateKey> {
    let (encoded, _) = pem.strip_prefix(BEGIN)?.split_once(END)?;
    let encoded: String = encoded.split_whitespace().collect();
    let bytes = STANDARD.decode(encoded).ok()?;
    let mut file = Fields(bytes.strip_prefix(MAGIC)?);
    let (cipher, derivation) = (file.next()?, file.next()?);
    if cipher != b"none" || derivation != b"none" {
        return None;
    }
    let (_options, count, _public) = (file.next()?, file.number()?, file.next()?);
    if count != 1 {
        return None;
    }
    let mut key = Fields(file.next()?);
    // Two equal numbers show a successful decryption; here nothing was encrypted.
    if key.number()? != key.number()? || key.next()? != b"ssh-rsa" {
        return None;
    }
    let [modulus, public, private] = [key.integer()?, key.integer()?, key.integer()?];
    let [_inverse, prime, other] = [key.integer()?, key.integer()?, key.integer()?];
    RsaPrivateKey::from_components(modulus, public, private, vec![prime, other]).ok()
}

/// Byte strings, each preceded by its length in four bytes.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<usize> {
        let (bytes, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        usize::try_from(u32::from_be_bytes(*bytes)).ok()
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    fn integer(&mut self) -> Option<BigUint> {
        self.next().map(BigUint::from_bytes_be)
    }
}
