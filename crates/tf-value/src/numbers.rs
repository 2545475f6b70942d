//! Changes the numbers inside of a value.

use super::{Number, Type, Value, ValueContent};
use stack::guarded;

impl Value {
    /// The value with every number replaced for which `change` returns another. Marks and unknowns stay.
    #[must_use]
    pub fn change_numbers(&self, change: &impl Fn(&Number) -> Option<Number>) -> Value {
        self.changed(change).unwrap_or_else(|| self.clone())
    }

    /// The changed value; `None` where nothing changes, as in most values.
    fn changed(&self, change: &impl Fn(&Number) -> Option<Number>) -> Option<Value> {
        let changed = match self.content() {
            ValueContent::Number(number) => Value::number(change(number)?),
            ValueContent::Sequence(elements) => guarded(|| {
                let changed: Vec<_> = elements.iter().map(|it| it.changed(change)).collect();
                changed.iter().any(Option::is_some).then(|| {
                    let pairs = changed.into_iter().zip(elements.iter());
                    let elements =
                        pairs.map(|(it, old)| it.unwrap_or_else(|| old.clone())).collect();
                    match self.ty() {
                        Type::List(element) => Value::list((**element).clone(), elements),
                        Type::Set(element) => Value::set((**element).clone(), elements),
                        _ => Value::tuple(elements),
                    }
                })
            })?,
            ValueContent::Mapping(members) => guarded(|| {
                let changed: Vec<_> = members.values().map(|it| it.changed(change)).collect();
                changed.iter().any(Option::is_some).then(|| {
                    let pairs = changed.into_iter().zip(members.iter());
                    let member = pairs
                        .map(|(it, (key, old))| (key.clone(), it.unwrap_or_else(|| old.clone())));
                    match self.ty() {
                        Type::Map(element) => Value::map((**element).clone(), member.collect()),
                        _ => Value::object(member.collect()),
                    }
                })
            })?,
            _ => return None,
        };
        Some(changed.with_marks(self.marks()))
    }
}
