//! Values that the variables of one contract accept: the search for witnesses, for other purposes.

use smol_str::SmolStr;

use super::{
    contract::ModuleContract,
    guesses::Guesses,
    judge::Arguments,
    space::{Space, rule_names},
};
use projection::sets::contains;
use tf_value::Value;

/// Finds values that a contract's variables accept.
pub struct Samples<'p, 'a> {
    space: Space<'p, 'a>,
}

impl<'p, 'a> Samples<'p, 'a> {
    pub fn of(contract: &'p ModuleContract<'a>) -> Samples<'p, 'a> {
        Samples { space: Space::new(contract) }
    }

    /// Whether the rules about a variable alone may accept a value. `false` is certain, `true` is not.
    pub fn may_be(&self, name: &SmolStr, value: &Value) -> bool {
        let alone = self.space.alone(name);
        if value.is_null() { alone.0 } else { contains(&alone.1, value) != Some(false) }
    }

    /// The values that a variable can have, null aside, if they are few.
    pub fn finite(&self, name: &SmolStr) -> Option<Vec<Value>> {
        self.space.finite(name)
    }

    /// Values that the rules about a variable alone accept, the smallest first.
    pub fn pool(&self, name: &SmolStr) -> Vec<Value> {
        self.space.pool(name)
    }

    /// Values that are made of the constants in the variable's rules, if the sets say nothing.
    pub fn guesses(&self, name: &SmolStr, count: usize) -> Vec<Value> {
        let contract = self.space.contract;
        let Some(variable) = contract.variable(name) else { return Vec::new() };
        let mut guesses = Guesses::of([contract, contract], std::slice::from_ref(name));
        (0..count).map(|_| guesses.value(variable, &[])).collect()
    }

    /// The variables that a rule of a variable reads, with the variable itself.
    pub fn read_by_rule(&self, name: &str, index: usize) -> Vec<SmolStr> {
        let contract = self.space.contract;
        contract.variable(name).map_or_else(Vec::new, |it| rule_names(contract, it, index))
    }

    /// Accepted arguments that contain `fixed`; `None` if none were found.
    pub fn complete(&self, fixed: &Arguments) -> Option<Arguments> {
        self.space.complete(fixed, &[])
    }
}
