//! Examples for optional variables whose defaults show nothing of their attributes.
//!
//! If you uncomment all of them, the module accepts the values. An example that does not go with the others is an
//! alternative, and is called one.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::{
    find::{Finder, Found},
    whole::Whole,
};
use compat::Arguments;
use module::{Module, Variable};
use tf_value::{Type, Value};

/// How often the whole module is asked.
const QUESTIONS: usize = 60;

/// An example of a variable's value.
pub struct Example {
    pub value: Value,
    /// The variables whose examples it does not go with.
    pub instead_of: Vec<SmolStr>,
}

/// The examples, by variable.
pub type Examples = BTreeMap<SmolStr, Example>;

/// Finds examples that the variables accept together, and the whole module, too, if it accepts the other values.
pub fn examples(
    module: &Module,
    finder: &Finder<'_, '_>,
    found: &Found,
    whole: &Whole<'_>,
) -> Examples {
    let mut search =
        Search { finder, found, whole, together: found.values.clone(), chosen: Vec::new() };
    let open = module.variables.values().filter(|it| {
        !found.values.contains_key(&it.name)
            && !found.missing.iter().any(|lack| lack.variable == it.name)
    });
    let mut all = Examples::new();
    for variable in open.filter(|it| needs_example(it)) {
        all.extend(search.next(variable).map(|it| (variable.name.clone(), it)));
    }
    if whole.accepts(&found.values) && !whole.accepts(&search.together) {
        search.ask_whole(&mut all);
    }
    all
}

/// Whether the default of a variable leaves out attributes that a reader cannot guess.
fn needs_example(variable: &Variable) -> bool {
    if variable.is_required() || variable.is_hidden() {
        return false;
    }
    let ty = &variable.constraint.ty;
    let is_bare = |it: &Value| it.is_null() || is_empty(it) && ty.as_object().is_none();
    has_object(ty) && variable.default.as_ref().is_some_and(is_bare)
}

struct Search<'s, 'p, 'a> {
    finder: &'s Finder<'p, 'a>,
    found: &'s Found,
    whole: &'s Whole<'s>,
    /// The values, with all examples that go together.
    together: Arguments,
    /// The variables with those examples.
    chosen: Vec<SmolStr>,
}

impl Search<'_, '_, '_> {
    /// An example that goes with those before, else one that goes with the values alone.
    fn next(&mut self, variable: &Variable) -> Option<Example> {
        let name = &variable.name;
        if let Some(value) = self.finder.example(variable, &self.together) {
            self.together.insert(name.clone(), value.clone());
            self.chosen.push(name.clone());
            return Some(Example { value, instead_of: Vec::new() });
        }
        let value = self.finder.example(variable, &self.found.values)?;
        let instead_of = self.opposed(name, &value, &|it| self.finder.accepts(it));
        Some(Example { value, instead_of })
    }

    /// The examples without which a value is accepted: one of them if that is enough, else all.
    fn opposed(
        &self,
        name: &SmolStr,
        value: &Value,
        accepts: &dyn Fn(&Arguments) -> bool,
    ) -> Vec<SmolStr> {
        let is_enough = |other: &&SmolStr| {
            let mut with = self.together.clone();
            with.remove(*other);
            with.insert(name.clone(), value.clone());
            accepts(&with)
        };
        match self.chosen.iter().find(is_enough) {
            Some(it) => vec![it.clone()],
            None => self.chosen.clone(),
        }
    }

    /// Adds the examples one after the other, and leaves out what the whole module does not accept.
    fn ask_whole(&mut self, all: &mut Examples) {
        self.together.clone_from(&self.found.values);
        let chosen = std::mem::take(&mut self.chosen);
        let mut left = QUESTIONS;
        for name in chosen {
            let Some(value) = all.get(&name).map(|it| it.value.clone()) else { continue };
            let mut with = self.together.clone();
            with.insert(name.clone(), value.clone());
            let is_asked = left > 0;
            left = left.saturating_sub(1);
            if is_asked && self.whole.accepts(&with) {
                self.together = with;
                self.chosen.push(name);
                continue;
            }
            let mut alone = self.found.values.clone();
            alone.insert(name.clone(), value.clone());
            let is_good = left > 0 && !self.chosen.is_empty() && self.whole.accepts(&alone);
            left = left.saturating_sub(1);
            if is_good {
                let instead_of = self.opposed(&name, &value, &|it| self.whole.accepts(it));
                all.insert(name, Example { value, instead_of });
            } else {
                all.remove(&name);
            }
        }
        // What these were opposed to may be gone.
        let chosen = &self.chosen;
        for it in all.values_mut() {
            it.instead_of.retain(|other| chosen.contains(other));
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_sequence().is_some_and(<[Value]>::is_empty)
        || value.as_mapping().is_some_and(BTreeMap::is_empty)
}

/// Whether values of the type have attributes that a reader cannot guess.
fn has_object(ty: &Type) -> bool {
    match ty {
        Type::Object(_) => true,
        Type::Tuple(all) => all.iter().any(|it| stack::guarded(|| has_object(it))),
        other => other.element().is_some_and(|it| stack::guarded(|| has_object(it))),
    }
}
