//! The names in scope where an expression is read.

use std::rc::Rc;

use stack::Depth;

use smol_str::SmolStr;

/// How deep locals may refer to one another.
const MAX_DEPTH: u32 = 15;

/// The names that `for` and splats bind around an expression, innermost first, and the number of locals that
/// the expression is inside of. An expression that is read later keeps them.
#[derive(Clone)]
pub struct Names<V> {
    bound: Option<Rc<Binding<V>>>,
    /// The element of a splat.
    item: Option<Rc<V>>,
    depth: Depth,
}

struct Binding<V> {
    name: SmolStr,
    value: V,
    next: Option<Rc<Binding<V>>>,
}

impl<V: Clone> Names<V> {
    pub fn none() -> Names<V> {
        Names { bound: None, item: None, depth: Depth::of(MAX_DEPTH) }
    }

    pub fn bind(&self, name: &SmolStr, value: V) -> Names<V> {
        let binding = Binding { name: name.clone(), value, next: self.bound.clone() };
        Names { bound: Some(Rc::new(binding)), ..self.clone() }
    }

    pub fn with_item(&self, item: V) -> Names<V> {
        Names { item: Some(Rc::new(item)), ..self.clone() }
    }

    /// The value that a `for` binds to the name.
    pub fn bound(&self, name: &str) -> Option<V> {
        let mut next = self.bound.as_ref();
        while let Some(binding) = next {
            if binding.name == name {
                return Some(binding.value.clone());
            }
            next = binding.next.as_ref();
        }
        None
    }

    /// The element of a splat.
    pub fn item(&self) -> Option<V> {
        self.item.as_deref().cloned()
    }

    /// The names inside a local: none of these. `None` if locals nest too deeply.
    pub fn inside_local(&self) -> Option<Names<V>> {
        Some(Names { depth: self.depth.inner()?, ..Names::none() })
    }
}
