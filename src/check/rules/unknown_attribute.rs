//! `unknown-attribute`: an object value has an attribute that its type lacks, at any depth. Terraform
//! drops it without a word.

use smol_str::SmolStr;

use super::removal::remove;
use crate::{
    diagnostic::{
        Diagnostic, Diagnostics, Edit, Fix, Role, Safety, Sources, Span, rules, suggestion,
    },
    inputs::{Input, Origin, SourcePlace},
    module::Variable,
    release::Product,
    stack::guarded,
    value::{ObjectType, Path, Step, Type, Value},
};

pub(in crate::check) fn check(
    variable: &Variable,
    input: &Input,
    sources: &Sources,
    product: Product,
) -> Diagnostics {
    let (path, found) = (Path::default(), Vec::new());
    let mut walk = Walk { variable, input, sources, product, path, found };
    walk.value(&input.value, &variable.constraint.ty);
    walk.found
}

struct Walk<'a> {
    variable: &'a Variable,
    input: &'a Input,
    sources: &'a Sources,
    product: Product,
    path: Path,
    found: Diagnostics,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, ty: &Type) {
        guarded(|| match ty {
            Type::Object(object) => self.object(value, object),
            Type::Map(element) => {
                for (key, inner) in value.as_mapping().into_iter().flatten() {
                    let step = Step::Index(Value::string(key));
                    self.inside(step, |it| it.value(inner, element));
                }
            }
            Type::List(element) | Type::Set(element) => {
                for (n, inner) in value.as_sequence().into_iter().flatten().enumerate() {
                    self.inside(Step::index(n), |it| it.value(inner, element));
                }
            }
            Type::Tuple(elements) => {
                let pairs = value.as_sequence().into_iter().flatten().zip(elements.iter());
                for (n, (inner, ty)) in pairs.enumerate() {
                    self.inside(Step::index(n), |it| it.value(inner, ty));
                }
            }
            _ => (),
        });
    }

    fn object(&mut self, value: &Value, object: &ObjectType) {
        for (name, inner) in value.as_mapping().into_iter().flatten() {
            let step = Step::Attribute(name.clone());
            match object.attributes.get(name) {
                Some(ty) => self.inside(step, |it| it.value(inner, ty)),
                None => self.inside(step, |it| it.report(name, object)),
            }
        }
    }

    fn inside(&mut self, step: Step, body: impl FnOnce(&mut Self)) {
        self.path.0.push(step);
        body(self);
        self.path.0.pop();
    }

    fn report(&mut self, name: &SmolStr, object: &ObjectType) {
        let variable = self.variable;
        let known: Vec<&str> = object.attributes.keys().map(SmolStr::as_str).collect();
        let place = self.input.locate(&self.path);
        let (what, pointer) = if variable.is_hidden() {
            ("an attribute that its type lacks".to_owned(), None)
        } else {
            (format!("no attribute \"{name}\""), Some(self.path.json_pointer()))
        };
        let summary = format!("\"{}\" has {what}; {} drops it", variable.name, self.product);
        let mut diagnostic = Diagnostic::new(&rules::UNKNOWN_ATTRIBUTE, summary)
            .detail(format!("The type knows {}.", some(&known)))
            .at(Role::Value, place.key.unwrap_or(place.value))
            .at_with(Role::Rule, variable.type_span.unwrap_or(variable.span), "the type")
            .variable(variable.name.clone());
        diagnostic.path = pointer;
        diagnostic.help = suggestion(name, known).map(|it| format!("did you mean \"{it}\"?"));
        diagnostic.fix = self.removal(place);
        self.found.push(diagnostic);
    }

    /// The fix that removes the attribute; `None` where it is not written out in a file.
    fn removal(&self, place: SourcePlace) -> Option<Fix> {
        let (Some(key), true, Origin::File(_)) = (place.key, place.is_exact, &self.input.origin)
        else {
            return None;
        };
        let removes = key.start..place.value.end;
        let item = removes.start as usize..removes.end as usize;
        let (range, replacement) = remove(&self.sources.file(key.file).bytes, item);
        let span = Span::new(key.file, range.start, range.end);
        let edit = Edit { span, replacement, removes: Some(removes) };
        let description = format!("Remove the attribute, which {} drops anyway", self.product);
        Some(Fix { description, edits: vec![edit], safety: Safety::Safe })
    }
}

/// The number of attributes that a finding names.
const MOST_NAMED: usize = 50;

fn some(names: &[&str]) -> String {
    match names.get(..MOST_NAMED) {
        Some(first) if names.len() > MOST_NAMED => {
            format!("{} and {} more", first.join(", "), names.len() - MOST_NAMED)
        }
        _ => names.join(", "),
    }
}
