//! `yamldecode` and `yamlencode`: YAML 1.1 with the types of YAML 1.2's JSON schema, as Terraform's library has it.
//!
//! Decoding: `cursor` goes over characters, `scanner` makes tokens of them, `decode` values.

mod block_scalar;
mod collections;
mod cursor;
mod decode;
mod encode;
mod folding;
mod plain_scalar;
mod properties;
mod quoted_scalar;
mod scalar;
mod scanner;
mod token;

pub use decode::YAMLDECODE;
pub use encode::YAMLENCODE;
