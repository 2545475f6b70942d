//! The text of a values file as a value, for `decode_tfvars`.

use std::collections::BTreeMap;

use super::{evaluate_constant, nested};
use crate::functions::{Failure, Host};
use diagnostics::Sources;
use hcl::{Item, parse_body};
use release::Release;
use tf_value::{Value, nfc};

/// The name of the text in messages.
const NAME: &str = "<decode_tfvars argument>";

/// Reads the text, which may hold neither references nor calls.
pub(super) fn read_values(text: &str, host: &dyn Host, release: Release) -> Result<Value, Failure> {
    host.spend(text.len() as u64 / 4)?;
    let mut sources = Sources::new();
    let file = sources.add(NAME, text.as_bytes().to_vec());
    let (body, errors) = parse_body(file, text.as_bytes());
    if let Some(error) = errors.first() {
        return Err(nested::failure("invalid tfvars syntax: ", error, &sources));
    }
    let blocks = body.items.iter().find_map(|it| match it {
        Item::Block(it) => Some(it),
        Item::Attribute(_) => None,
    });
    if let Some(it) = blocks {
        let at = sources.display(it.kind.span);
        let message = format!("invalid tfvars content: {at}: blocks are not allowed here");
        return Err(Failure::Call(message));
    }
    let mut values = BTreeMap::new();
    for it in &body.items {
        let Item::Attribute(it) = it else { continue };
        let (value, errors) = evaluate_constant(&it.value, host, release);
        if let Some(error) = errors.first() {
            let what = format!("invalid expression for variable \"{}\": ", it.name.name);
            return Err(nested::failure(&what, error, &sources));
        }
        values.insert(nfc(&it.name.name), value);
    }
    Ok(Value::object(values))
}
