//! Values of sensitive and ephemeral variables are never shown, also where a schema carries them.

use std::borrow::Cow;

use crate::{
    module::{Module, Variable},
    schema::{Change, Difference, Json, VOCABULARY},
};

/// What stands in place of a value.
pub(super) const HIDDEN: &str = "(sensitive)";

/// Two schemas as they may be shown.
pub(super) fn schemas(old: &Json, new: &Json, module: &Module) -> (Json, Json) {
    let (mut old, mut new) = (old.clone(), new.clone());
    for variable in module.variables.values().filter(|it| it.is_hidden()) {
        for schema in [&mut old, &mut new] {
            let Json::Object(root) = schema else { continue };
            let Some(Json::Object(properties)) = root.get_mut("properties") else { continue };
            if let Some(property) = properties.get_mut(variable.name.as_str()) {
                hide_defaults(property);
            }
        }
    }
    (old, new)
}

/// A difference as it may be told.
pub(super) fn difference<'a>(
    difference: &'a Difference,
    variable: Option<&Variable>,
) -> Cow<'a, Difference> {
    // A type's annotation holds the defaults of its attributes.
    let has_values = matches!(difference.change, Change::Default | Change::Annotation);
    if !has_values || !variable.is_some_and(Variable::is_hidden) {
        return Cow::Borrowed(difference);
    }
    let hidden = |it: &Option<Json>| it.as_ref().map(|_| Json::string(HIDDEN));
    let (old, new) = (hidden(&difference.old), hidden(&difference.new));
    Cow::Owned(Difference { old, new, ..difference.clone() })
}

/// Hides every `default` in a schema, nested ones too, and the annotations.
fn hide_defaults(schema: &mut Json) {
    match schema {
        Json::Object(members) => {
            for (key, member) in members.iter_mut() {
                let has_values = key == "default" || key == VOCABULARY;
                if has_values && !matches!(member, Json::Null) {
                    *member = Json::string(HIDDEN);
                } else {
                    hide_defaults(member);
                }
            }
        }
        Json::Array(elements) => elements.iter_mut().for_each(hide_defaults),
        _ => (),
    }
}
