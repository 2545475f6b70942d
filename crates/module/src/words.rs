//! Rules in words, for code that shows an error of a rule without knowing how conditions are translated.

use crate::{Module, Variable};

/// Says what the rules of the module that it was made for demand, such as `a string of 3 to 63 characters`.
pub trait RuleWords {
    /// The demand of a rule, by its place among the variable's rules; `None` if words would not express all of it, or
    /// would show a secret.
    fn demand(&self, module: &Module, variable: &Variable, index: usize) -> Option<String>;
}

/// Makes the words of a module's rules. Data that all of its rules need is computed once.
pub type WordsOf = fn(&Module) -> Box<dyn RuleWords>;
