//! What closures take, and the code around them.

use quote::ToTokens;
use syn::{ExprClosure, Pat, PatIdent, visit::Visit};

/// Closures whose parameters a reader has to look for elsewhere.
#[derive(Default)]
pub(super) struct Closures {
    /// How many take `it`.
    pub(super) taking_it: usize,
    /// Closures that take `it` inside of others that do.
    pub(super) nested: Vec<String>,
    /// Closures with a parameter of one letter, other than the `a, b` of a comparison.
    pub(super) one_letter: Vec<String>,
    depth: usize,
}

impl Closures {
    pub(super) fn of(expr: &str) -> Closures {
        let mut closures = Closures::default();
        closures.visit_expr(&syn::parse_str(expr).unwrap());
        closures
    }
}

impl<'c> Visit<'c> for Closures {
    fn visit_expr_closure(&mut self, closure: &'c ExprClosure) {
        let names: Vec<Names> = closure.inputs.iter().map(Names::of).collect();
        let takes_it = names.iter().any(|it| it.0.iter().any(|name| name == "it"));
        let text = || closure.to_token_stream().to_string();
        if takes_it && self.depth > 0 {
            self.nested.push(text());
        }
        let names: Vec<&str> = names.iter().flat_map(|it| &it.0).map(String::as_str).collect();
        if names != ["a", "b"] && names.iter().any(|it| it.len() == 1) {
            self.one_letter.push(text());
        }
        self.taking_it += usize::from(takes_it);
        self.depth += usize::from(takes_it);
        syn::visit::visit_expr_closure(self, closure);
        self.depth -= usize::from(takes_it);
    }
}

/// The names that a pattern binds, at any depth.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn of(pattern: &Pat) -> Names {
        let mut names = Names::default();
        names.visit_pat(pattern);
        names
    }
}

impl<'c> Visit<'c> for Names {
    fn visit_pat_ident(&mut self, name: &'c PatIdent) {
        self.0.push(name.ident.to_string());
        syn::visit::visit_pat_ident(self, name);
    }
}
