//! `yamldecode` and `yamlencode`: YAML 1.1 with the types of YAML 1.2's JSON schema, as Terraform's library has it.
//!
//! Decoding: [`go::yaml`](go_compat::yaml) cuts the text into tokens, `decode` makes values of them.

mod decode;
mod encode;
mod scalar;

pub use decode::YAMLDECODE;
pub use encode::YAMLENCODE;
