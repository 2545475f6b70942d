//! `rsadecrypt`: RSA with the padding of PKCS #1 v1.5.

use rsa::{
    Pkcs1v15Encrypt, RsaPrivateKey, pkcs1::DecodeRsaPrivateKey, pkcs8::DecodePrivateKey,
    traits::PublicKeyParts as _,
};

use super::openssh;
use crate::functions::{
    CallContext, Failure, Function, Param, ReturnType, Ty, encoding::decode_base64, text,
};
use release::changes;
use tf_value::{Type, Value};

pub const FUNCTION: Function = Function::pure(
    "rsadecrypt",
    "Decrypts a Base64 text with an RSA key.",
    &[Param::new("ciphertext", Ty::String), Param::new("privatekey", Ty::String)],
    ReturnType::Fixed(Ty::String),
    body,
);

/// The work of a decryption, as a number of bytes.
const COST: u64 = 100_000;
/// Go refuses smaller keys.
const LEAST_BITS: usize = 1024;

fn body(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    context.host.spend(COST)?;
    let Some(ciphertext) = decode_base64(text(&args[0])) else {
        return Err(Failure::argument(0, "the ciphertext must be valid Base64"));
    };
    let Some(key) = private_key(text(&args[1])) else {
        return Err(Failure::argument(1, "not an RSA private key in PEM format, unencrypted"));
    };
    if key.n().bits() < LEAST_BITS && context.release.has(&changes::RSA_KEYS_OF_1024_BITS) {
        return Err(Failure::call("the key has fewer than 1024 bits"));
    }
    let Ok(plain) = key.decrypt(Pkcs1v15Encrypt, &ciphertext) else {
        return Err(Failure::call("the ciphertext was not encrypted for this key"));
    };
    // Terraform accepts bytes that are not text; its output shows each as U+FFFD.
    Ok(Value::string(String::from_utf8_lossy(&plain)))
}

/// PKCS #1, PKCS #8 or OpenSSH's own format.
fn private_key(pem: &str) -> Option<RsaPrivateKey> {
    let pem = pem.get(pem.find("-----BEGIN ")?..)?;
    RsaPrivateKey::from_pkcs1_pem(pem)
        .ok()
        .or_else(|| RsaPrivateKey::from_pkcs8_pem(pem).ok())
        .or_else(|| openssh::private_key(pem))
}
