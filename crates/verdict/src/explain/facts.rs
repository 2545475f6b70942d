//! The facts that an explanation has found so far.

use super::Explanation;
use tf_value::Path;

#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Expressions and their values, in the order of the condition, each once.
    shown: Vec<(String, String)>,
    /// The place that all false parts have in common; `None` while there is none.
    path: Option<Path>,
    /// The elements that decided, such as `var.ports[1]`.
    elements: Vec<String>,
    /// Why a part can never hold.
    never: Option<String>,
}

impl Facts {
    pub fn add(&mut self, expr: String, value: String) {
        let fact = (expr, value);
        if fact.0 != fact.1 && !self.shown.contains(&fact) {
            self.shown.push(fact);
        }
    }

    /// Narrows the place to what it has in common with `path`.
    pub fn about(&mut self, path: &Path) {
        self.path = Some(match self.path.take() {
            None => path.clone(),
            Some(known) => {
                let same = known.0.iter().zip(&path.0).take_while(|(a, b)| a == b).count();
                Path(known.0.into_iter().take(same).collect())
            }
        });
    }

    /// Notes an element of a collection that decided.
    pub fn element(&mut self, element: String) {
        if !self.elements.contains(&element) {
            self.elements.push(element);
        }
    }

    /// Notes why a part can never hold.
    pub fn never(&mut self, reason: String) {
        self.never.get_or_insert(reason);
    }

    pub fn finish(self, most: usize) -> Explanation {
        let facts = self.shown.iter().take(most).map(|(expr, value)| format!("{expr} is {value}"));
        let mut text = facts.collect::<Vec<_>>().join(", ");
        if let (Some(element), false) = (self.elements.last(), text.is_empty()) {
            text += &format!(" in {element}");
        }
        if let Some(reason) = self.never {
            text = if text.is_empty() { reason } else { format!("{text}; {reason}") };
        }
        Explanation { text, path: self.path.unwrap_or_default() }
    }
}
