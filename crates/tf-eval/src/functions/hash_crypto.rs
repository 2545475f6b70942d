//! Hashes, UUIDs and RSA.

use std::fmt::Write;

use super::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty, filesystem, text,
    whole_number,
};
use crate::functions::{declaration::FunctionBody, encoding::decode_base64};
use base64::{Engine, engine::general_purpose::STANDARD};
use bcrypt::{Version, hash_with_salt};
use md5::Md5;
use release::changes;
use rsa::{
    BigUint, Pkcs1v15Encrypt, RsaPrivateKey, pkcs1::DecodeRsaPrivateKey, pkcs8::DecodePrivateKey,
    traits::PublicKeyParts as _,
};
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};
use tf_value::{Type, Value};
use uuid::{Builder, Uuid};

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    BASE64SHA256,
    BASE64SHA512,
    BCRYPT,
    FILEBASE64SHA256,
    FILEBASE64SHA512,
    FILEMD5,
    FILESHA1,
    FILESHA256,
    FILESHA512,
    MD5,
    RSADECRYPT,
    SHA1,
    SHA256,
    SHA512,
    UUID,
    UUIDV5,
];

// Digests of texts and of files, in hexadecimal or Base64.

const BASE64SHA256: Function = of_text(
    "base64sha256",
    "Computes the SHA-256 digest of a text and encodes it with Base64.",
    |_, args, _| text_digest(args, base64::<Sha256>),
);

const BASE64SHA512: Function = of_text(
    "base64sha512",
    "Computes the SHA-512 digest of a text and encodes it with Base64.",
    |_, args, _| text_digest(args, base64::<Sha512>),
);

const MD5: Function =
    of_text("md5", "Computes the MD5 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Md5>)
    });

const SHA1: Function =
    of_text("sha1", "Computes the SHA-1 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha1>)
    });

const SHA256: Function =
    of_text("sha256", "Computes the SHA-256 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha256>)
    });

const SHA512: Function =
    of_text("sha512", "Computes the SHA-512 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha512>)
    });

const FILEBASE64SHA256: Function = of_file(
    "filebase64sha256",
    "Computes the SHA-256 digest of a file and encodes it with Base64.",
    |context, args, _| file_digest(context, args, base64::<Sha256>),
);

const FILEBASE64SHA512: Function = of_file(
    "filebase64sha512",
    "Computes the SHA-512 digest of a file and encodes it with Base64.",
    |context, args, _| file_digest(context, args, base64::<Sha512>),
);

const FILEMD5: Function =
    of_file("filemd5", "Computes the MD5 digest of a file in hexadecimal.", |context, args, _| {
        file_digest(context, args, hexadecimal::<Md5>)
    });

const FILESHA1: Function = of_file(
    "filesha1",
    "Computes the SHA-1 digest of a file in hexadecimal.",
    |context, args, _| file_digest(context, args, hexadecimal::<Sha1>),
);

const FILESHA256: Function = of_file(
    "filesha256",
    "Computes the SHA-256 digest of a file in hexadecimal.",
    |context, args, _| file_digest(context, args, hexadecimal::<Sha256>),
);

const FILESHA512: Function = of_file(
    "filesha512",
    "Computes the SHA-512 digest of a file in hexadecimal.",
    |context, args, _| file_digest(context, args, hexadecimal::<Sha512>),
);

const STR: &[Param] = &[Param::new("str", Ty::String)];
const PATH: &[Param] = &[Param::new("path", Ty::String)];

const fn of_text(name: &'static str, description: &'static str, body: FunctionBody) -> Function {
    let returns = ReturnType::Fixed(Ty::String);
    Function::pure(name, description, STR, returns, body).refuses(Refuses::Nothing)
}

const fn of_file(name: &'static str, description: &'static str, body: FunctionBody) -> Function {
    let returns = ReturnType::Fixed(Ty::String);
    Function::pure(name, description, PATH, returns, body).depends_on(DependsOn::Machine)
}

fn text_digest(args: &[Value], digest: fn(&[u8]) -> String) -> Result<Value, Failure> {
    Ok(Value::string(digest(text(&args[0]).as_bytes())))
}

/// Unlike `file`, these functions blame the call instead of the path for an unreadable file.
fn file_digest(
    context: &CallContext<'_>,
    args: &[Value],
    digest: fn(&[u8]) -> String,
) -> Result<Value, Failure> {
    let bytes = filesystem::read(context, text(&args[0])).map_err(|it| match it {
        Failure::Argument { message, .. } => Failure::Call(message),
        Failure::MissingFile { message, path, .. } => {
            Failure::MissingFile { index: None, message, path }
        }
        other => other,
    })?;
    Ok(Value::string(digest(&bytes)))
}

fn hexadecimal<D: Digest>(bytes: &[u8]) -> String {
    D::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn base64<D: Digest>(bytes: &[u8]) -> String {
    STANDARD.encode(D::digest(bytes))
}

// Private keys as `ssh-keygen` writes them.

const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC: &[u8] = b"openssh-key-v1\0";

/// The RSA key in an unencrypted OpenSSH file.
fn openssh_key(pem: &str) -> Option<RsaPrivateKey> {
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

// `rsadecrypt`: RSA with the padding of PKCS #1 v1.5.

const RSADECRYPT: Function = Function::pure(
    "rsadecrypt",
    "Decrypts a Base64 text with an RSA key.",
    &[Param::new("ciphertext", Ty::String), Param::new("privatekey", Ty::String)],
    ReturnType::Fixed(Ty::String),
    rsadecrypt,
);

/// The work of a decryption, as a number of bytes.
const COST: u64 = 100_000;
/// Go refuses smaller keys.
const LEAST_BITS: usize = 1024;

fn rsadecrypt(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
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
        .or_else(|| openssh_key(pem))
}

// `uuid` and `bcrypt`: random, so unknown until the apply; only a console gives them values.

pub const UUID: Function = Function::pure(
    "uuid",
    "Returns a random UUID; unknown until the apply.",
    &[],
    ReturnType::Fixed(Ty::String),
    uuid,
)
.depends_on(DependsOn::Moment);

const BCRYPT: Function = Function::pure(
    "bcrypt",
    "Computes a salted hash with Blowfish; unknown until the apply.",
    &[Param::new("str", Ty::String)],
    ReturnType::Fixed(Ty::String),
    bcrypt,
)
.variadic(Param::new("cost", Ty::Number))
.depends_on(DependsOn::Moment);

/// Go's default, which also replaces a cost that is too low.
const DEFAULT_COST: i64 = 10;
/// The work of a hash of cost 0; each further step doubles it.
const WORK: u64 = 200;

/// A UUID that is random in every bit: Terraform sets no version in it.
fn uuid(context: &CallContext<'_>, _: &[Value], _: &Type) -> Result<Value, Failure> {
    if !context.host.is_console() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    Ok(Value::string(Uuid::from_u128(context.host.system().random()).to_string()))
}

fn bcrypt(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    if !context.host.is_console() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let (password, cost) = match args {
        [password] => (text(password), DEFAULT_COST),
        [password, cost] => (text(password), whole_number(cost).map_err(Failure::call)?),
        _ => return Err(Failure::call("expected a string and at most one cost")),
    };
    let cost = if cost < 4 { DEFAULT_COST } else { cost };
    let Some(cost) = u32::try_from(cost).ok().filter(|it| *it <= 31) else {
        return Err(Failure::call("the cost must be at most 31"));
    };
    if password.len() > 72 {
        return Err(Failure::call("the text must have at most 72 bytes"));
    }
    context.host.spend(WORK << cost)?;
    let salt = context.host.system().random().to_be_bytes();
    match hash_with_salt(password, cost, salt) {
        Ok(hash) => Ok(Value::string(hash.format_for_version(Version::TwoA))),
        Err(error) => Err(Failure::Call(error.to_string())),
    }
}

// `uuidv5`: a UUID made from a name.

const UUIDV5: Function = Function::pure(
    "uuidv5",
    "Returns the version 5 UUID of a name in a namespace.",
    &[Param::new("namespace", Ty::String), Param::new("name", Ty::String)],
    ReturnType::Fixed(Ty::String),
    uuidv5,
);

/// The namespaces of RFC 4122.
const NAMESPACES: [(&str, Uuid); 4] = [
    ("dns", Uuid::NAMESPACE_DNS),
    ("url", Uuid::NAMESPACE_URL),
    ("oid", Uuid::NAMESPACE_OID),
    ("x500", Uuid::NAMESPACE_X500),
];

fn uuidv5(context: &CallContext<'_>, args: &[Value], _: &Type) -> Result<Value, Failure> {
    let (namespace, name) = (text(&args[0]), text(&args[1]));
    context.host.spend(8)?;
    let known = NAMESPACES.iter().find(|(it, _)| *it == namespace).map(|(_, uuid)| *uuid);
    let Some(namespace) = known.or_else(|| parse(namespace)) else {
        let message = format!(
            "{namespace:?} is not a namespace: it is neither a UUID nor a \
            known name"
        );
        return Err(Failure::Call(message));
    };
    let digest = Sha1::new().chain_update(namespace).chain_update(name).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Ok(Value::string(Builder::from_sha1_bytes(bytes).into_uuid().to_string()))
}

/// Reads a UUID, also with `urn:uuid:`, in braces, or without hyphens. Unlike the library, Terraform
/// accepts any two characters as braces, and `urn:uuid:` in capitals.
fn parse(text: &str) -> Option<Uuid> {
    let bare = match text.len() {
        32 | 36 => text,
        38 => text.get(1..37)?,
        45 if text.get(..9)?.eq_ignore_ascii_case("urn:uuid:") => text.get(9..)?,
        _ => return None,
    };
    Uuid::try_parse(bare).ok()
}
