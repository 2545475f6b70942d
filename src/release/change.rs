//! What one change between releases is.

use super::{Product, Version, changes};

/// A change in the language, with the first release of each product that has it.
#[derive(Debug)]
pub struct Change {
    pub kind: ChangeKind,
    /// What messages call it: the name of the function, argument or block, `terraform.applying`.
    pub name: &'static str,
    /// In Markdown, what came or became different; empty for a function, which simply came.
    pub what: &'static str,
    pub terraform: Option<Version>,
    pub opentofu: Option<Version>,
    /// Minor releases of Terraform that lack it though they are later: patches went back further than
    /// the newest release did.
    pub without: &'static [u32],
    /// The functions and operators whose values it changes.
    pub functions: &'static [&'static str],
    /// A piece of configuration that shows it.
    pub example: &'static str,
    /// The recorded questions (`tests/data/releases`) that prove it.
    pub probes: &'static [&'static str],
}

/// Where a change shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// A function that there was not before.
    Function,
    /// An argument of a block.
    Argument,
    /// A type of block.
    Block,
    /// What an expression gives.
    Evaluation,
    /// What is refused before any value is known.
    Static,
    /// What files and flags with values mean.
    ValuesFiles,
}

impl Change {
    /// The first release that has it; `None`: no known one.
    pub fn first(&self, product: Product) -> Option<Version> {
        match product {
            Product::Terraform => self.terraform,
            Product::OpenTofu => self.opentofu,
        }
    }
}

impl Change {
    /// Names what proves it.
    pub(super) const fn probes(self, probes: &'static [&'static str]) -> Change {
        Change { probes, ..self }
    }

    /// When it came, as a message says it: `came with 1.9`.
    pub fn since(&self, product: Product) -> String {
        match self.first(product) {
            Some(it) => format!("came with {}.{}", it.major, it.minor),
            None => format!("{product} does not have"),
        }
    }
}

/// The change that brought a function; `None` where every release has it that can read today's
/// syntax.
pub fn function(name: &str) -> Option<&'static Change> {
    let all = changes::FUNCTIONS;
    let index = all.binary_search_by(|it| it.name.cmp(name)).ok()?;
    all.get(index).copied()
}
