//! What arguments of resources are written as, for those who refer to them.
//!
//! A provider keeps what is written: `azurerm_resource_group.x.location` is `"westeurope"` where that
//! resource writes so. What may come out otherwise is left unknown.

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{Mode, Resource, Values};
use crate::{
    eval::{self, Instance, Trace, WrittenArgument},
    syntax::Expr,
    value::{Number, Type, Value, convert, ops},
};

/// By kind, name, key and argument; `None` while it is looked at, and where it is not known.
pub(super) type Arguments = HashMap<Asked, Option<Value>>;

/// What was asked for: kind, name, key and argument.
type Asked = [SmolStr; 4];

impl Values<'_> {
    /// The value that an argument keeps.
    pub(super) fn argument(&self, asked: &WrittenArgument<'_>) -> Option<Value> {
        let WrittenArgument { kind, name, key, argument } = *asked;
        let known = self.written.as_ref()?;
        let resource = self.module.resources.get(&(SmolStr::new(kind), SmolStr::new(name)))?;
        let text = key.map(|it| key_text(it).ok_or(())).transpose().ok()?;
        let asked = [kind.into(), name.into(), text.unwrap_or_default(), SmolStr::new(argument)];
        if let Some(it) = known.borrow().get(&asked) {
            return it.clone();
        }
        known.borrow_mut().insert(asked.clone(), None);
        let value =
            stacker::maybe_grow(256 * 1024, 1024 * 1024, || self.kept(resource, key, argument));
        known.borrow_mut().insert(asked, value.clone());
        value
    }

    fn kept(&self, resource: &Resource, key: Option<&Value>, argument: &str) -> Option<Value> {
        // Ephemeral values may be others each time; an id is the provider's.
        if resource.mode == Mode::Ephemeral || argument == "id" || resource.ignores(argument) {
            return None;
        }
        let written = resource.body.argument(argument).filter(|it| it.iterators.is_empty())?;
        let instance = self.instance(resource, key)?;
        let value = self.known(&written.expr, &instance)?;
        is_kept(&value).then_some(value)
    }

    /// The value of an expression where it is known whatever a plan says.
    fn known(&self, expr: &Expr, instance: &Instance) -> Option<Value> {
        let data = self.in_instance(instance);
        let evaluation = eval::evaluate_in_detail(expr, &self.scope_of(&data), Trace::Off);
        let is_sound = evaluation.diagnostics.is_empty();
        let value = evaluation.value;
        (is_sound && value.is_wholly_known() && !value.deep_marks().is_undecided()).then_some(value)
    }

    /// The instance of a key, where there is exactly this one.
    fn instance(&self, resource: &Resource, key: Option<&Value>) -> Option<Instance> {
        let repetition = &resource.repetition;
        if repetition.enabled.is_some() {
            return None;
        }
        let none = Instance::default();
        match (&repetition.count, &repetition.for_each, key) {
            (None, None, None) => Some(none),
            (Some(count), None, Some(key)) => {
                let number = self.known(count, &none)?.unmark_deep().0;
                let number = convert(&number, &Type::Number).ok()?;
                let (number, at) = (number.as_number()?.to_u64()?, key.as_number()?.to_u64()?);
                let count = Value::number(Number::from_u64(at));
                (at < number).then(|| Instance { count: Some(count), ..none })
            }
            (None, Some(for_each), Some(key)) => {
                let collection = self.known(for_each, &none)?.unmark().0;
                let mut elements = ops::elements(&collection)?;
                let wanted = key.as_str()?;
                let (key, value) = elements.find(|it| it.0.as_str() == Some(wanted))?;
                let each = Some((key, value.clone()));
                Some(Instance { each, ..Instance::default() })
            }
            _ => None,
        }
    }
}

/// A key as it stands in brackets, where it is exact.
fn key_text(key: &Value) -> Option<SmolStr> {
    let is_plain = key.is_known() && !key.is_null() && !key.marks().is_undecided();
    let key = is_plain.then(|| key.clone().unmark().0)?;
    match key.as_str() {
        Some(it) => Some(SmolStr::new(format!("{it:?}"))),
        None => Some(SmolStr::new(key.as_number()?.to_u64()?.to_string())),
    }
}

/// Whether an attribute that is written as this value has this value: a text that is no number and no bool.
/// The attribute may be of another type than the value, and then it would be another value; null and the
/// empty text are what some providers fill in.
fn is_kept(value: &Value) -> bool {
    let plain = value.clone().unmark().0;
    plain.as_str().is_some_and(|it| !it.is_empty())
        && convert(&plain, &Type::Number).is_err()
        && convert(&plain, &Type::Bool).is_err()
}
