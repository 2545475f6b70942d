//! Base64, CSV, JSON, URL and YAML.

mod base64;
mod base64gunzip;
mod base64gzip;
mod csv;
mod inflate;
mod json;
mod text;
mod urldecode;
mod urlencode;
mod yaml;

pub(super) use base64::decode as decode_base64;

use super::Function;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    base64::BASE64DECODE,
    base64::BASE64ENCODE,
    base64gunzip::FUNCTION,
    base64gzip::FUNCTION,
    csv::FUNCTION,
    json::JSONDECODE,
    json::JSONENCODE,
    text::TEXTDECODEBASE64,
    text::TEXTENCODEBASE64,
    urldecode::FUNCTION,
    urlencode::FUNCTION,
    yaml::YAMLDECODE,
    yaml::YAMLENCODE,
];
