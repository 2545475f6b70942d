//! `yamldecode` and `yamlencode`: YAML 1.1 with the types of YAML 1.2's JSON schema, as Terraform's library has it.

mod decode;
mod encode;
mod scalar;

pub use decode::YAMLDECODE;
pub use encode::YAMLENCODE;
