//! Annotations for forms and editors, which do not affect validation.

use super::{
    Keywords, SchemaJson, SchemaOptions, definitions, export, generate::are_defaults_hidden,
};
use crate::condition::{TIMESTAMP, Translation};
use module::{Module, Secrets, Validation, Variable};
use tf_eval::Meter;
use tf_value::typeexpr::type_source;

/// The keyword for everything that JSON Schema cannot express.
pub const VOCABULARY: &str = "x-terraform";

/// Adds `writeOnly` for a sensitive variable, `deprecated`, and [`VOCABULARY`]: an object of `type`
/// (as one would write it, on one line), `nullable`, `ephemeral`, `conditions`, `deprecated` (the
/// message, where there is one), `position` (`file` in the module's directory, `line` from 1) and
/// `order` (from 0, as declared).
pub fn annotate(
    keywords: &mut Keywords,
    (module, variable): (&Module, &Variable),
    translations: &[Translation],
    (order, options, secrets): (usize, &SchemaOptions, &Secrets),
    meter: &Meter,
) {
    let conditions = variable.validations.iter().enumerate();
    let conditions = conditions.map(|(index, validation)| {
        let translation = translations.iter().find(|it| it.validation == index);
        let meaning = translation.filter(|_| !options.meanings_left_out);
        let meaning = meaning.and_then(|it| it.in_words(variable));
        condition(module, (validation, translation, meaning), (secrets, meter))
    });
    let deprecated = variable.deprecated.as_ref();
    let reason = deprecated.filter(|it| !secrets.are_in_prose(variable, it));
    let is_hidden = are_defaults_hidden(variable, options);
    let ty = &variable.constraint;
    let ty = if is_hidden { type_source(&ty.ty) } else { ty.to_string() };
    let own = [
        ("type", Some(SchemaJson::String(ty))),
        ("nullable", Some(SchemaJson::Bool(variable.is_nullable()))),
        ("ephemeral", Some(SchemaJson::Bool(variable.is_ephemeral()))),
        ("conditions", Some(SchemaJson::Array(conditions.collect()))),
        ("deprecated", reason.map(|it| text(it))),
        ("position", Some(position(module, variable))),
        ("order", Some(SchemaJson::integer(order as u64))),
    ];
    let annotations = [
        ("writeOnly", variable.is_sensitive().then_some(SchemaJson::Bool(true))),
        ("deprecated", deprecated.map(|_| SchemaJson::Bool(true))),
        (VOCABULARY, Some(object(own))),
    ];
    keywords.extra.extend(members(annotations));
}

/// Adds the `format` that every text of a pattern has. It is added only if it holds for all of them:
/// `ipv4` refuses the leading zeros that Terraform accepts, and `regex` means another language.
pub fn formats(root: &mut Keywords) {
    definitions::for_each(root, &mut |it| {
        if it.pattern.as_deref() == Some(TIMESTAMP) {
            it.extra.insert("format".to_owned(), SchemaJson::string("date-time"));
        }
    });
}

/// The annotation of a condition: `condition` and `error_message` as written, `fidelity`, which says how
/// much of it the schema expresses, and `meaning`, which says that part in words.
fn condition(
    module: &Module,
    (validation, translation, meaning): (&Validation, Option<&Translation>, Option<String>),
    (secrets, meter): (&Secrets, &Meter),
) -> SchemaJson {
    let condition = export::condition(module, validation, secrets);
    let message = export::message(module, validation, secrets, meter);
    object([
        ("condition", condition.map(|it| text(&it))),
        ("error_message", message.map(|it| text(&it))),
        ("fidelity", translation.map(|it| SchemaJson::string(it.fidelity().as_str()))),
        ("meaning", meaning.map(SchemaJson::String)),
    ])
}

/// All files of a module are in its directory, so a name is enough.
fn position(module: &Module, variable: &Variable) -> SchemaJson {
    let file = module.sources.file(variable.span.file);
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let line = file.position(variable.span.start).line;
    object([
        ("file", Some(SchemaJson::string(name))),
        ("line", Some(SchemaJson::integer(u64::from(line)))),
    ])
}

/// A text that does not depend on the line ends of the checkout.
fn text(text: &str) -> SchemaJson {
    SchemaJson::String(text.replace("\r\n", "\n"))
}

fn object<const N: usize>(all: [(&str, Option<SchemaJson>); N]) -> SchemaJson {
    SchemaJson::Object(members(all).collect())
}

fn members<const N: usize>(
    all: [(&str, Option<SchemaJson>); N],
) -> impl Iterator<Item = (String, SchemaJson)> + use<'_, N> {
    all.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)))
}
