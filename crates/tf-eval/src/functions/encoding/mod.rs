//! Base64, CSV, JSON, URL and YAML.

mod base64;
mod csv;
mod gzip;
mod json;
mod url;
mod yaml;

use super::Function;

pub(super) use base64::decode as decode_base64;

/// The functions of this family, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    base64::BASE64DECODE,
    base64::BASE64ENCODE,
    gzip::BASE64GUNZIP,
    gzip::BASE64GZIP,
    csv::FUNCTION,
    json::JSONDECODE,
    json::JSONENCODE,
    base64::TEXTDECODEBASE64,
    base64::TEXTENCODEBASE64,
    url::URLDECODE,
    url::URLENCODE,
    yaml::YAMLDECODE,
    yaml::YAMLENCODE,
];

/// An error's reason with its place in a decoded text: `on line 4, column 1: …`. Line and column count
/// from 0, the column in characters.
fn on_line(line: usize, column: usize, reason: &str) -> String {
    format!("on line {}, column {}: {reason}", line + 1, column + 1)
}

/// The same for a place that is given as an offset in bytes.
fn at_offset(text: &str, offset: usize, reason: &str) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |it| it + 1);
    let column = before[line_start..].chars().count();
    on_line(before.matches('\n').count(), column, reason)
}
