//! Values files in which SOPS has encrypted values.
//!
//! SOPS keeps the form of a JSON file: names, objects, lists and null stay as they are, and each text, number or bool
//! becomes a text such as `ENC[AES256_GCM,data:…,type:str]`, unless its settings leave it plain
//! (`unencrypted_suffix`, `encrypted_regex` and the like). It adds the member `sops`, which it takes away when it
//! decrypts. So exactly the texts of that form are not known, and of these the type is.

use std::sync::Arc;

use super::{GivenValue, InputSource, Layer, ValuesEntry};
use hcl::{
    json::{JsonValue as Json, ValueKind},
    of_sops,
};
use tf_value::{Marks, Type, Value};

/// Why an encrypted value is not known.
pub const REASON: &str = "a value that SOPS has encrypted";

/// How many variables a file gives with encrypted values, and how many without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub sealed: usize,
    pub plain: usize,
}

impl Layer {
    /// Takes a file as it is before SOPS decrypts it: the member that SOPS added is gone, and its encrypted values are
    /// unknown. `None` for every other file.
    pub fn seal(&mut self) -> Option<Counts> {
        let InputSource::File(_) = self.origin else { return None };
        if !self.entries.get("sops").is_some_and(|it| is_added(&it.given)) {
            return None;
        }
        self.entries.shift_remove("sops");
        let mut counts = Counts { sealed: 0, plain: 0 };
        for ValuesEntry { given, .. } in self.entries.values_mut() {
            let GivenValue::Json(json) = &**given else { continue };
            let of_kind = if holds_any(json) { &mut counts.sealed } else { &mut counts.plain };
            *of_kind += 1;
            *given = Arc::new(GivenValue::Sealed(json.clone()));
        }
        Some(counts)
    }
}

/// Whether SOPS added the value: it holds a code that authenticates all others, itself encrypted.
fn is_added(given: &GivenValue) -> bool {
    let GivenValue::Json(added) = given else { return false };
    let code = added.get("mac").map(|it| &it.kind);
    matches!(code, Some(ValueKind::String(it)) if of_sops(it).is_some())
}

/// Whether a value, or a part of it, is encrypted.
fn holds_any(json: &Json) -> bool {
    let mut pending = vec![json];
    while let Some(json) = pending.pop() {
        match &json.kind {
            ValueKind::String(text) if of_sops(text).is_some() => return true,
            ValueKind::Array(elements) => pending.extend(elements),
            ValueKind::Object(members) => pending.extend(members.iter().map(|it| &it.value)),
            _ => (),
        }
    }
    false
}

/// The value behind an encrypted text: nothing but its type is known.
pub(super) fn sealed(text: &str) -> Option<Value> {
    let ty = match of_sops(text)? {
        "str" | "bytes" | "time" => Type::String,
        "int" | "float" => Type::Number,
        "bool" => Type::Bool,
        _ => Type::Dynamic,
    };
    Some(Value::unknown_not_null(ty).with_marks(Marks::UNDECIDED))
}
