//! The written values of resources' arguments, for expressions that refer to them.
//!
//! A provider keeps what is written: `azurerm_resource_group.x.location` is `"westeurope"` if that
//! resource says so. An argument that may come out differently is left unknown.

use foldhash::HashMap;
use smol_str::SmolStr;

use super::{Mode, Resource, Values};
use hcl::Expr;
use stack::guarded;
use tf_eval::{Instance, WrittenArgument};
use tf_value::{Number, Type, Value, convert, ops};

/// Values by kind, name, key and argument; `None` while one is being found, and where it is unknown.
pub(super) type Arguments = HashMap<Asked, Option<Value>>;

/// The key of a value: kind, name, key and argument.
type Asked = [SmolStr; 4];

impl Values<'_> {
    /// The value that the provider keeps for an argument.
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
        let value = guarded(|| self.kept(resource, key, argument));
        known.borrow_mut().insert(asked, value.clone());
        value
    }

    fn kept(&self, resource: &Resource, key: Option<&Value>, argument: &str) -> Option<Value> {
        // Ephemeral values may differ each time; an id comes from the provider.
        if resource.mode == Mode::Ephemeral || argument == "id" || resource.ignores(argument) {
            return None;
        }
        let written = resource.body.argument(argument).filter(|it| it.iterators.is_empty())?;
        let instance = self.instance(resource, key)?;
        let value = self.known(&written.expr, &instance)?;
        is_kept(&value).then_some(value)
    }

    /// The value of an expression, if it is the same in every plan.
    fn known(&self, expr: &Expr, instance: &Instance) -> Option<Value> {
        let data = self.in_instance(instance);
        let evaluation = tf_eval::evaluate_in_detail(expr, &self.scope_of(&data));
        let is_sound = evaluation.diagnostics.is_empty();
        let value = evaluation.value;
        (is_sound && value.is_wholly_known() && !value.deep_marks().is_undecided()).then_some(value)
    }

    /// The instance with this key, if it is known to exist.
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

/// A key as written in brackets, if it is exact.
fn key_text(key: &Value) -> Option<SmolStr> {
    let is_plain = key.is_known() && !key.is_null() && !key.marks().is_undecided();
    let key = is_plain.then(|| key.clone().unmark().0)?;
    match key.as_str() {
        Some(it) => Some(SmolStr::new(format!("{it:?}"))),
        None => Some(SmolStr::new(key.as_number()?.to_u64()?.to_string())),
    }
}

/// Whether a provider surely keeps this written value: a text that is neither a number nor a bool. The
/// attribute may have another type, so that another value would be converted; and some providers replace
/// null and the empty text.
fn is_kept(value: &Value) -> bool {
    let plain = value.clone().unmark().0;
    plain.as_str().is_some_and(|it| !it.is_empty())
        && convert(&plain, &Type::Number).is_err()
        && convert(&plain, &Type::Bool).is_err()
}
