//! Terraform's values (cty in Rust): types, values, null, unknown, marks, paths, conversion.
//!
//! A [`Value`] is a type, a content and marks. Values go in; a value or an error that names a path comes
//! out of every operation, so that nothing here can panic on a user's input. The rules are those of
//! `go-cty`, as observed through Terraform.
//!
//! ```
//! use tf_value::{Type, Value, convert, json};
//!
//! let value = Value::tuple(vec![Value::int(1), Value::string("a")]);
//! let converted = convert(&value, &Type::list(Type::String)).unwrap();
//! assert_eq!(json::value_to_json(&converted).unwrap(), r#"["1","a"]"#);
//! let error = convert(&value, &Type::list(Type::Number)).unwrap_err();
//! assert_eq!(error.to_string(), "a number is required");
//! ```

pub mod typeexpr;
pub mod convert;
pub mod json;
mod kinds;
mod marks;
mod node;
mod number;
mod numbers;
pub mod ops;
mod path;
mod quote;
mod refine;
mod set;
mod ty;

pub use convert::{ConvertError, Unified, convert, difference, unify, unify_unsafe};
pub use kinds::{Refinements, Value, ValueContent};
pub use marks::Marks;
pub use node::Elements;
pub use number::{Number, NumberStyle};
pub use path::{Path, Step};
pub use quote::{is_printable, quoted};
pub use ty::DYNAMIC;
pub use ty::{Attributes, ObjectType, TupleType, Type};

use smol_str::SmolStr;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text in Unicode normalisation form C, as cty keeps every string.
pub fn nfc(text: &str) -> SmolStr {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return SmolStr::new(text);
    }
    text.nfc().collect()
}
