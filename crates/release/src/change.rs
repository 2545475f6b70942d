//! A change between releases.

use super::{Product, Version, changes};

/// A change in the language, with the first release of each product that has it.
#[derive(Debug)]
pub struct LanguageChange {
    pub kind: ChangeKind,
    /// The name in messages: that of the function, argument or block, `terraform.applying`.
    pub name: &'static str,
    /// In Markdown, what is new or different; empty for a function, which is simply new.
    pub what: &'static str,
    pub terraform: Option<Version>,
    pub opentofu: Option<Version>,
    /// Minor releases of Terraform that lack the change though they are later than its first one:
    /// patches brought it further back than to the newest release.
    pub without: &'static [u32],
    /// The functions and operators whose results it changes.
    pub functions: &'static [&'static str],
    /// A configuration that shows it.
    pub example: &'static str,
    /// The recorded questions (`tests/data/releases`) that prove it.
    pub probes: &'static [&'static str],
}

/// The part of the language that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// A new function.
    Function,
    /// An argument of a block.
    Argument,
    /// A type of block.
    Block,
    /// The result of an expression.
    Evaluation,
    /// An error before any value is known.
    Static,
    /// The meaning of files and flags with values.
    ValuesFiles,
}

impl LanguageChange {
    /// The first release that has it; `None` if there is no known one.
    pub fn first(&self, product: Product) -> Option<Version> {
        match product {
            Product::Terraform => self.terraform,
            Product::OpenTofu => self.opentofu,
        }
    }
}

impl LanguageChange {
    /// Names the recorded questions that prove it.
    pub(super) const fn probes(self, probes: &'static [&'static str]) -> LanguageChange {
        LanguageChange { probes, ..self }
    }

    /// The first release in the words of a message: `came with 1.9`.
    pub fn since(&self, product: Product) -> String {
        match self.first(product) {
            Some(it) => format!("came with {}.{}", it.major, it.minor),
            None => format!("{product} does not have"),
        }
    }
}

/// The change that brought a function; `None` if every release that reads today's syntax has it.
pub fn function(name: &str) -> Option<&'static LanguageChange> {
    let all = changes::FUNCTIONS;
    let index = all.binary_search_by(|it| it.name.cmp(name)).ok()?;
    all.get(index).copied()
}
