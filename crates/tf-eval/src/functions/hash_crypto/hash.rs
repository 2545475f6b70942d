//! Digests of texts and of files, in hexadecimal or Base64.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::functions::{
    CallContext, DependsOn, Failure, Function, Param, Refuses, ReturnType, Ty,
    declaration::FunctionBody, filesystem, text,
};
use tf_value::Value;

pub const BASE64SHA256: Function = of_text(
    "base64sha256",
    "Computes the SHA-256 digest of a text and encodes it with Base64.",
    |_, args, _| text_digest(args, base64::<Sha256>),
);

pub const BASE64SHA512: Function = of_text(
    "base64sha512",
    "Computes the SHA-512 digest of a text and encodes it with Base64.",
    |_, args, _| text_digest(args, base64::<Sha512>),
);

pub const MD5: Function =
    of_text("md5", "Computes the MD5 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Md5>)
    });

pub const SHA1: Function =
    of_text("sha1", "Computes the SHA-1 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha1>)
    });

pub const SHA256: Function =
    of_text("sha256", "Computes the SHA-256 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha256>)
    });

pub const SHA512: Function =
    of_text("sha512", "Computes the SHA-512 digest of a text in hexadecimal.", |_, args, _| {
        text_digest(args, hexadecimal::<Sha512>)
    });

pub const FILEBASE64SHA256: Function = of_file(
    "filebase64sha256",
    "Computes the SHA-256 digest of a file and encodes it with Base64.",
    |context, args, _| file_digest(context, args, base64::<Sha256>),
);

pub const FILEBASE64SHA512: Function = of_file(
    "filebase64sha512",
    "Computes the SHA-512 digest of a file and encodes it with Base64.",
    |context, args, _| file_digest(context, args, base64::<Sha512>),
);

pub const FILEMD5: Function =
    of_file("filemd5", "Computes the MD5 digest of a file in hexadecimal.", |context, args, _| {
        file_digest(context, args, hexadecimal::<Md5>)
    });

pub const FILESHA1: Function = of_file(
    "filesha1",
    "Computes the SHA-1 digest of a file in hexadecimal.",
    |context, args, _| file_digest(context, args, hexadecimal::<Sha1>),
);

pub const FILESHA256: Function = of_file(
    "filesha256",
    "Computes the SHA-256 digest of a file in hexadecimal.",
    |context, args, _| file_digest(context, args, hexadecimal::<Sha256>),
);

pub const FILESHA512: Function = of_file(
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
