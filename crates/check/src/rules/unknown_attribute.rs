//! `unknown-attribute`: an object value has an attribute that its type lacks, at any depth. Terraform
//! drops it without a word.

use std::cell::OnceCell;

use smol_str::SmolStr;

use super::{
    removal::remove,
    written_type::{Found, WrittenType, search},
};
use diagnostics::{
    Diagnostic, Diagnostics, Edit, Fix, Level, LevelReason, MOST_OF_A_KIND, Role, Safety, Sources,
    Span, lints, more, suggestion,
};
use module::{
    Variable,
    inputs::{Input, InputSource, SourceLocation},
};
use release::Product;
use stack::guarded;
use tf_value::{ObjectType, Path, Step, Type, Value};

/// A variable and the value that is given to it, with the files of both.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub variable: &'a Variable,
    pub declared: &'a Sources,
    pub input: &'a Input,
    pub sources: &'a Sources,
}

/// The attributes that the type lacks; beyond the usual number the others are counted, unless `keeps_all`.
pub fn check(given: Given<'_>, product: Product, keeps_all: bool) -> Diagnostics {
    let most = if keeps_all { usize::MAX } else { MOST_OF_A_KIND };
    let written = OnceCell::new();
    let mut walk = Walk {
        given,
        product,
        most,
        written,
        path: Path::default(),
        found: Vec::new(),
        rest: None,
    };
    walk.value(&given.input.value, &given.variable.constraint.ty);
    let Walk { mut found, rest, .. } = walk;
    found.extend(rest.map(|(number, level, at)| {
        more(number, &(&lints::UNKNOWN_ATTRIBUTE).into(), level).at(Role::Value, at)
    }));
    found
}

struct Walk<'a> {
    given: Given<'a>,
    product: Product,
    /// The number of findings that are kept.
    most: usize,
    written: OnceCell<WrittenType>,
    path: Path,
    found: Diagnostics,
    /// The number of further ones, the gravest level of them, and the span of the first.
    rest: Option<(usize, Level, Span)>,
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
            match object.attributes.get(name) {
                Some(ty) => {
                    self.inside(Step::Attribute(name.clone()), |it| it.value(inner, ty));
                }
                None => self.report(name, object, inner),
            }
        }
    }

    fn inside(&mut self, step: Step, body: impl FnOnce(&mut Self)) {
        self.path.0.push(step);
        body(self);
        self.path.0.pop();
    }

    fn report(&mut self, name: &SmolStr, object: &ObjectType, inner: &Value) {
        // Null means nothing, so that nothing is lost but the author's belief that there is such a thing.
        let is_null = inner.is_null();
        let object_path = self.path.clone();
        self.path.0.push(Step::Attribute(name.clone()));
        let location = self.given.input.locate(&self.path);
        if self.found.len() < self.most {
            let found = self.finding(name, object, &object_path, location);
            let found = if is_null { found.because(LevelReason::NullIsLost) } else { found };
            self.found.push(found);
        } else {
            let level = lints::UNKNOWN_ATTRIBUTE.level;
            let level = if is_null { LevelReason::NullIsLost.level(level) } else { level };
            let at = location.key.unwrap_or(location.value);
            let (number, gravest, _) = self.rest.get_or_insert((0, level, at));
            *number += 1;
            *gravest = level.max(*gravest);
        }
        self.path.0.pop();
    }

    fn finding(
        &self,
        name: &SmolStr,
        object: &ObjectType,
        object_path: &Path,
        location: SourceLocation,
    ) -> Diagnostic {
        let Given { variable, declared, .. } = self.given;
        let (whole, product) = (&variable.constraint.ty, self.product);
        let known = || object.attributes.keys().map(SmolStr::as_str);
        let near = suggestion(name, known());
        let elsewhere = if near.is_none() { search(whole, object_path, name) } else { None };
        let (subject, pointer) = if variable.is_hidden() {
            (format!("\"{}\" has an attribute that its type does not have", variable.name), None)
        } else {
            let owner = match object_path.is_empty() {
                true => format!("\"{}\"", variable.name),
                false => format!("{}{object_path}", variable.name),
            };
            (format!("{owner} has no attribute \"{name}\""), Some(self.path.json_pointer()))
        };
        let written = self.written.get_or_init(|| WrittenType::new(variable, declared));
        let at = match (&near, &elsewhere) {
            (Some(near), _) => written.attribute(object_path, near),
            (None, Some(Found { object, .. })) => written.attribute(object, name),
            (None, None) => None,
        };
        let (at, label) = match (at, &elsewhere) {
            (Some(at), None) => (Some(at), "the attribute with a similar name"),
            (Some(at), Some(_)) => (Some(at), "the attribute with that name"),
            (None, _) => (written.object(object_path), "the type"),
        };
        let at = at.or(variable.type_span).unwrap_or(variable.span);
        let detail = match &elsewhere {
            Some(it) => it.sentence(&variable.name, !variable.is_hidden()),
            None if near.is_some() => String::new(),
            None => format!("The type has {}.", some(&known().collect::<Vec<_>>())),
        };
        let mut diagnostic =
            Diagnostic::new(&lints::UNKNOWN_ATTRIBUTE, format!("{subject}; {product} drops it"))
                .detail(detail)
                .at(Role::Value, location.key.unwrap_or(location.value))
                .at_with(Role::Rule, at, label)
                .variable(variable.name.clone());
        if let Some(it) = pointer {
            diagnostic = diagnostic.path(it);
        }
        diagnostic.help = near.map(|it| format!("did you mean \"{it}\"?"));
        diagnostic.fix = self.removal(location);
        diagnostic
    }

    /// The fix that removes the attribute; `None` where it is not written out in a file.
    fn removal(&self, location: SourceLocation) -> Option<Fix> {
        let Given { input, sources, .. } = self.given;
        // SOPS would refuse the edited file.
        if matches!(*input.given, module::inputs::GivenValue::Sealed(_)) {
            return None;
        }
        let (Some(key), true, InputSource::File(_)) =
            (location.key, location.is_exact, &input.origin)
        else {
            return None;
        };
        let removes = key.start..location.value.end;
        let item = removes.start as usize..removes.end as usize;
        let (range, replacement) = remove(&sources.file(key.file).bytes, item);
        let span = Span::new(key.file, range.start, range.end);
        let edit = Edit { span, replacement, removes: Some(removes) };
        let description = format!("Remove the attribute; {} drops it anyway", self.product);
        Some(Fix { description, edits: vec![edit], safety: Safety::Safe })
    }
}

/// The number of attributes that a finding names.
const MOST_NAMED: usize = 8;

/// `a, b and c`, or `a, b and 7 more`; the keys of an empty object are `no attributes`.
fn some(names: &[&str]) -> String {
    match names.get(..MOST_NAMED) {
        Some(first) if names.len() > MOST_NAMED + 1 => {
            format!("{} and {} more", first.join(", "), names.len() - MOST_NAMED)
        }
        _ if names.is_empty() => "no attributes".to_owned(),
        _ => names.join(", "),
    }
}
