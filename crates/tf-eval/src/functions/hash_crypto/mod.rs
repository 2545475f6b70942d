//! Hashes, UUIDs and RSA.

mod hash;
mod openssh;
mod rsadecrypt;
mod unpredictable;
mod uuidv5;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    hash::BASE64SHA256,
    hash::BASE64SHA512,
    unpredictable::BCRYPT,
    hash::FILEBASE64SHA256,
    hash::FILEBASE64SHA512,
    hash::FILEMD5,
    hash::FILESHA1,
    hash::FILESHA256,
    hash::FILESHA512,
    hash::MD5,
    rsadecrypt::FUNCTION,
    hash::SHA1,
    hash::SHA256,
    hash::SHA512,
    unpredictable::UUID,
    uuidv5::FUNCTION,
];
