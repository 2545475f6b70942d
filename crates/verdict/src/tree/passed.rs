//! Values that a called module's rules accepted, so that another caller with the same value is not
//! judged again: most callers of `environment` give "dev" or "prod".

use std::{
    fmt::Write as _,
    iter,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use foldhash::{HashMap, HashSet};
use smol_str::SmolStr;

use module::{Module, Variable};
use tf_eval::RootReference;
use tf_value::{Marks, Value, ValueContent};

/// The largest value that is kept, in bytes; a larger one is judged each time.
const MOST_BYTES: usize = 512;
/// The number of values kept for all variables of a module.
const MOST_VALUES: usize = 64;

/// The accepted values of one module.
#[derive(Debug, Default)]
pub struct Passed {
    /// The variables whose rules read only the variable itself.
    own: OnceLock<HashSet<SmolStr>>,
    values: Mutex<HashMap<PassedValue, Arc<[u64]>>>,
}

/// A variable and one of its values.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct PassedValue(SmolStr, String);

impl Passed {
    /// The key of a value; `None` where the value is judged each time: the variable's rules read
    /// something else, or the value is secret, large, or not completely known.
    pub fn key(&self, module: &Module, variable: &Variable, value: &Value) -> Option<PassedValue> {
        let own = self.own.get_or_init(|| own(module));
        if !own.contains(&variable.name) || variable.constraint.ty.has_dynamic() {
            return None;
        }
        let mut text = String::new();
        write_exactly(value, &mut text).then(|| PassedValue(variable.name.clone(), text))
    }

    /// The work of each rule, if the value is known to pass them all.
    pub fn find(&self, key: &PassedValue) -> Option<Arc<[u64]>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).get(key).map(Arc::clone)
    }

    /// Keeps a value that passed, while there is room.
    pub fn keep(&self, key: PassedValue, work: Vec<u64>) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() < MOST_VALUES {
            values.insert(key, work.into());
        }
    }
}

fn own(module: &Module) -> HashSet<SmolStr> {
    let reads_itself = |variable: &&Variable| {
        let name = variable.name.as_str();
        let is_own = |it: &RootReference<'_>| {
            it.name == "var" && it.first == Some(tf_eval::ReferenceStep::Attribute(name))
        };
        let rules = variable.validations.iter();
        let mut exprs = rules.flat_map(|it| iter::once(&it.condition).chain(&it.error_message));
        exprs.all(|it| tf_eval::references(it).iter().all(is_own))
    };
    let variables = module.variables.values().filter(|it| !it.validations.is_empty());
    variables.filter(reads_itself).map(|it| it.name.clone()).collect()
}

/// Writes a value so that two values of one type have the same text only if no expression can distinguish them.
/// Returns whether it could be written.
fn write_exactly(value: &Value, text: &mut String) -> bool {
    if value.marks() != Marks::NONE || text.len() > MOST_BYTES {
        return false;
    }
    match value.content() {
        ValueContent::Null => text.push('~'),
        ValueContent::Bool(it) => text.push(if *it { '+' } else { '-' }),
        // A number may be held in more or fewer bits, and zero has a sign.
        ValueContent::Number(it) => match it.to_i64().filter(|it| *it != 0) {
            Some(whole) => _ = write!(text, "{whole}/{},", it.precision()),
            None => return false,
        },
        ValueContent::String(it) => _ = write!(text, "{}\"{it}", it.len()),
        ValueContent::Sequence(elements) => {
            _ = write!(text, "{}[", elements.len());
            return elements.iter().all(|it| write_exactly(it, text));
        }
        ValueContent::Mapping(elements) => {
            _ = write!(text, "{}{{", elements.len());
            return elements.iter().all(|(key, it)| {
                _ = write!(text, "{}\"{key}", key.len());
                write_exactly(it, text)
            });
        }
        ValueContent::Unknown(_) => return false,
    }
    text.len() <= MOST_BYTES
}
